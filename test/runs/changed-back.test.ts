import { writes } from '../support/cluster/end-state';
import { lab, type Lab } from '../support/cluster/lab';
import { blankMachine } from '../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => (cluster = await lab({ taskMs: 0 })));
afterEach(() => cluster.close());

const web = { ...blankMachine, power: 'running' };
const [root] = web.disks;

test('a value that somebody changes back each time: the run ends, and names the field and both values', async () => {
  expect(await cluster.bring(web)).toEqual([]);
  const scsi0 = String(cluster.world.guests[10_000]!.config['scsi0']);
  cluster.simulator.faults.add({
    methods: ['GET'],
    path: '/nodes/*/qemu/10000/pending',
    effect: { kind: 'event', event: { kind: 'edit', vmid: 10_000, set: { scsi0 }, delete: [] } },
  });
  expect(await cluster.bring({ ...web, disks: [{ ...root, backup: false }] })).toEqual([
    'NotConvergedError: web: everything was done and Proxmox still differs (disks[root].backup: (none) -> false). Look at the tasks of the guest for somebody who changes it back. Running again is safe.',
  ]);
});

test('notes that somebody changes back between two requests: the run ends', async () => {
  expect(await cluster.bring(web)).toEqual([]);
  const description = String(cluster.world.guests[10_000]!.config['description']);
  cluster.simulator.faults.add({
    methods: ['GET'],
    path: '/nodes/*/qemu/10000/pending',
    effect: { kind: 'event', event: { kind: 'edit', vmid: 10_000, set: { description }, delete: [] } },
  });
  cluster.simulator.ledger.reset();
  const data = { name: 'data', size: '1G', storage: 'local-lvm' };
  const [said] = await cluster.bring({ ...web, disks: [{ ...root, size: '9G' }, data] });
  expect(said).toMatch(/everything was done and Proxmox still differs .*Running again is safe\.$/);
  expect(writes(cluster.simulator).length).toBeLessThan(15);
}, 30_000);

test('what somebody wrote into the notes stands in the same line', async () => {
  expect(await cluster.bring(web)).toEqual([]);
  const { config } = cluster.world.guests[10_000]!;
  const description = `theirs\ndb: destroyed\n${String(config['description'])}`;
  const scsi0 = String(config['scsi0']);
  cluster.simulator.faults.add({
    methods: ['GET'],
    path: '/nodes/*/qemu/10000/pending',
    effect: { kind: 'event', event: { kind: 'edit', vmid: 10_000, set: { description, scsi0 }, delete: [] } },
  });
  const [said] = await cluster.bring({ ...web, description: 'ours', disks: [{ ...root, backup: false }] });
  expect(said).toContain('description: theirs | db: destroyed -> ours)');
}, 30_000);
