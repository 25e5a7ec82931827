import { runLine } from '../../reconciler/walk/live';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { writes } from '../../support/cluster/end-state';
import { programAccess } from '../../support/cluster/program-access';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const clone: Json = { id: 'web', image: { template: 'ubuntu-22.04' }, memory: '4Gi', power: 'stopped' };
const run = (verb: string, machines: Json[]) =>
  runLine(
    [verb, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson(machines)),
  );
const snapshots = [{ name: 'clean' }];

it.each<[string, Json, string]>([
  ['a root smaller than its template', { disks: [{ name: 'root', size: '1Gi' }] }, 'cannot shrink to 1Gi'],
  ['a type that its root has not', { disks: [{ name: 'root', type: 'sata' }] }, 'cannot become sata'],
  [
    'a TPM where no snapshot can be kept',
    { tpm: { version: 'v2.0', storage: 'local' }, snapshots },
    'cannot have snapshots',
  ],
  ['more vCPUs than its cores', { cpu: { vcpus: 64 } }, 'cpu.vcpus'],
])('%s is refused by plan and by apply, before a clone is made', async (_, fields, said) => {
  const machine = { ...clone, ...fields };
  const plan = await run('plan', [machine]);
  expect(plan).toMatchObject({ code: 3, out: expect.stringContaining(said) });
  expect(await run('reconcile', [machine])).toMatchObject({ code: 3 });
  expect(writes(cluster.simulator)).toEqual([]);
});

it('a plan tells what grows, what is added and what is written; its template is read once for all', async () => {
  const disks = [
    { name: 'root', size: '40G', cache: 'writeback' },
    { name: 'data', size: '4G', storage: 'local-lvm' },
  ];
  const machines = ['a', 'b', 'c'].map(id => ({ ...clone, id, disks }));
  const plan = await run('plan', machines);
  expect(plan.code).toBe(0);
  expect(plan.out).toMatch(/disks\[root\]\.size: \d+\w+ -> 40Gi/);
  expect(plan.out).toContain('disks[root].cache: (none) -> writeback');
  expect(plan.out).toContain('disks[data]: ');
  const reads = cluster.simulator.ledger.entries().filter(({ path }) => path.includes('/qemu/9000/'));
  expect(reads).toHaveLength(1);
});
