import { daemonLab, until } from '../../support/daemon/daemon-lab';

const machine = (id: string) => ({
  id,
  node: 'pve1',
  image: { blank: true },
  power: 'stopped',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
});

it('the daemon writes a mark again that was edited away, refuses what nothing proves, and keeps the others', async () => {
  const lab = await daemonLab([machine('a'), machine('b'), machine('c')]);
  const phaseIs = (phase: string) => (seen: Record<string, unknown>) => seen['phase'] === phase;
  const first = lab.start();
  for (const id of ['a', 'b', 'c']) await until(() => first.machine(id), phaseIs('Stopped'));
  await first.stop();
  const guest = (name: string) =>
    Object.values(lab.simulator.world.guests).find(({ config }) => config['name'] === name)!;
  guest('a').config['description'] = 'Ask Bert.';
  guest('b').config['smbios1'] = 'uuid=11111111-1111-4111-8111-111111111111';
  guest('c').config['cores'] = '3';
  const { vmid } = guest('b');
  lab.simulator.ledger.reset();

  const again = lab.start();
  const told = await until(() => again.machine('b'), phaseIs('Error'));
  expect(JSON.stringify(told)).toContain('its uuid was changed by hand');
  for (const id of ['a', 'c']) await until(() => again.machine(id), phaseIs('Stopped'));
  expect(guest('a').config['description']).toMatch(/^Ask Bert\.\n<!-- pvr:/);
  expect(lab.writes().filter(line => line.includes(`/${vmid}/`))).toEqual([]);
  await lab.close();
});
