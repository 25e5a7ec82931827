import { applyEvent } from '../../../simulator/events/apply';
import type { CliLab } from '../../support/processes/cli';
import { lineLabsAfter } from '../../support/runs/line-lab';

const web = {
  id: 'web',
  node: 'pve1',
  image: { template: 'ubuntu-22.04' },
  power: 'stopped',
  disks: [{ name: 'root', size: '20G' }],
};
const OURS = 10_000;

let open: Awaited<ReturnType<typeof lineLabsAfter>>;
let lab: CliLab;
beforeAll(async () => {
  open = await lineLabsAfter(first => first.apply(web));
});
/** The quorum went while the clone was made: the lock stays, no task holds it, and the disks are not there. */
beforeEach(async () => {
  lab = await open();
  const { config } = lab.world.guests[OURS]!;
  config['description'] = config['description']!.replace('"u":', '"b":1,"u":');
  for (const key of ['scsi0', 'ide2', 'tags', 'boot']) delete config[key];
  lab.world.volumes = lab.world.volumes.filter(({ vmid }) => vmid !== OURS);
  applyEvent(lab.simulator.sim, { kind: 'lock', vmid: OURS, lock: 'clone' });
});
afterEach(() => lab.close());

test('half a machine under a lock that no task holds: plan says how it goes away', async () => {
  const { stdout } = await lab.people('plan', [web]);
  expect(stdout).toContain(
    'guest 10000 on pve1, which is locked (clone) by no task that can be seen: if none runs, only a part of it was ' +
      'made. `qm unlock 10000`, then `qm destroy 10000` on pve1 remove it; the next run makes it anew',
  );
});

test('with the lock gone nobody is told to attach what is not there, and a destroy removes it', async () => {
  applyEvent(lab.simulator.sim, { kind: 'lock', vmid: OURS, lock: '' });
  const { code, stdout } = await lab.people('plan', [web]);
  expect(stdout).toContain(
    'Its clone was cut short: remove it (qm destroy 10000), and run again: it is made anew.',
  );
  expect({ code, isAttached: stdout.includes('Attach') }).toEqual({ code: 3, isAttached: false });
  expect((await lab.destroy('web')).code).toBe(0);
  expect(lab.world.guests[OURS]).toBeUndefined();
});

/** What the configuration of a clone names whose disks Proxmox took back (test/simulator/guest/half-done.test.ts). */
const { disks: _, ...asCloned } = web;
test.each([web, asCloned])(
  'with the lock gone and its disks in the configuration it is not finished: refused until it is destroyed',
  async want => {
    const { config } = lab.world.guests[OURS]!;
    config['scsi0'] = 'local-lvm:vm-10000-disk-0,size=10G';
    applyEvent(lab.simulator.sim, { kind: 'lock', vmid: OURS, lock: '' });
    lab.writes();
    for (const verb of ['plan', 'reconcile']) {
      const { code, stdout, stderr } = await lab.people(verb, [want]);
      expect([code, (stdout + stderr).includes("storage 'local-lvm' has no such volume")]).toEqual([3, true]);
    }
    expect(lab.writes()).toEqual([]);
    expect((await lab.destroy('web')).code).toBe(0);
    expect((await lab.apply(want)).code).toBe(0);
    expect((await lab.people('plan', [want], ['--check'])).code).toBe(0);
  },
);
