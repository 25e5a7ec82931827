import { daemonLab, until } from '../../support/daemon/daemon-lab';
import { halfDestroy } from '../../support/runs/half-destroyed';

const web = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  power: 'stopped',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
};

it('a machine whose destroy lost the quorum half-way is refused in each round, without a write', async () => {
  const lab = await daemonLab([web]);
  const phaseIs = (phase: string) => (seen: Record<string, unknown>) => seen['phase'] === phase;
  const first = lab.start();
  await until(() => first.machine('web'), phaseIs('Stopped'));
  await first.stop();
  await halfDestroy(lab, { node: 'pve1', vmid: 10_000 });
  lab.simulator.ledger.reset();
  const again = lab.start();
  const told = await until(() => again.machine('web'), phaseIs('Error'));
  expect(JSON.stringify(told)).toContain("storage 'local-lvm' has no such volume");
  expect(lab.writes()).toEqual([]);
  await lab.close();
});
