import { applyEvent } from '../../../simulator/events/apply';
import { cliLab, start } from '../../support/processes/cli';

const web = {
  id: 'web',
  image: { blank: true },
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
};

test('without a quorum a destroy sends nothing, and goes on when it is back', async () => {
  const lab = await cliLab();
  expect((await lab.apply(web)).code).toBe(0);
  lab.writes();
  const volumes = structuredClone(lab.world.volumes);
  applyEvent(lab.simulator.sim, { kind: 'quorum', quorate: false });

  const wire = { PROXMOX_PROTOCOL: '1', PROXMOX_CLUSTER: JSON.stringify({ name: 'lab' }) };
  const whose = { PROXMOX_OWNER: 'team/lab', PROXMOX_MACHINE: 'web', PROXMOX_ENTRY: 'e1' };
  const running = start(['destroy'], { ...lab.access, ...wire, ...whose });
  await running.said('waits for the quorum');
  expect(lab.writes()).toEqual([]);
  expect(lab.world.volumes).toEqual(volumes);

  applyEvent(lab.simulator.sim, { kind: 'quorum', quorate: true });
  expect((await running.ended).code).toBe(0);
  expect(lab.guests('web')).toEqual([]);
  expect(lab.world.volumes.filter(({ vmid }) => vmid === 10_000)).toEqual([]);
  await lab.close();
});
