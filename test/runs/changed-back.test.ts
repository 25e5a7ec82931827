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
