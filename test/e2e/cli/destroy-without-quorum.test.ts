import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyEvent } from '../../../simulator/events/apply';
import { cliLab, desiredText, start } from '../../support/processes/cli';

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

test('one that loses it half-way and dies: the rest is refused, and a destroy and an apply make the machine anew', async () => {
  const lab = await cliLab();
  expect((await lab.people('reconcile', [web])).code).toBe(0);
  const effect = { kind: 'event', event: { kind: 'quorum', quorate: false } } as const;
  lab.simulator.faults.add({ methods: ['DELETE'], path: '/nodes/*/qemu/10000', count: 1, effect });
  const desired = join(mkdtempSync(join(tmpdir(), 'half-')), 'desired.json');
  writeFileSync(desired, desiredText([web]));
  const dying = start(['destroy', 'web', '--yes', '--spec', desired], lab.access);
  await dying.said('waits for the quorum');
  dying.child.kill('SIGKILL');
  await dying.ended;
  expect(lab.world.volumes.filter(({ vmid }) => vmid === 10_000)).toEqual([]);

  applyEvent(lab.simulator.sim, { kind: 'quorum', quorate: true });
  lab.writes();
  for (const verb of ['plan', 'reconcile']) {
    const { code, stdout, stderr } = await lab.people(verb, [web]);
    expect([code, (stdout + stderr).includes("storage 'local-lvm' has no such volume")]).toEqual([3, true]);
  }
  expect(lab.writes()).toEqual([]);
  expect((await start(['destroy', 'web', '--yes', '--spec', desired], lab.access).ended).code).toBe(0);
  expect((await lab.people('reconcile', [web])).code).toBe(0);
  expect(lab.world.volumes.filter(({ vmid }) => vmid === 10_000)).toHaveLength(1);
  await lab.close();
});
