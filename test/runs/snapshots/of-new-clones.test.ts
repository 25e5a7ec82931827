import { runLine } from '../../reconciler/walk/live';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const disks = [{ name: 'root', storage: 'local-lvm', size: '1Gi' }];
const base: Json = { id: 'base', image: { blank: true }, disks, power: 'stopped' };
const copy: Json = { id: 'copy', image: { machine: 'base' }, power: 'stopped' };
const run = (verb: string, ...[machines, more]: [Json[], Json?]) =>
  runLine(
    [verb, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify({ ...desiredJson(machines), ...more }),
  );

it.each<[string, Json[], Json]>([
  ['a snapshot before a change', [{ ...copy, snapshotBeforeChange: true }, base], {}],
  ['a wanted snapshot', [copy, base], { snapshots: [{ machine: 'copy', name: 'clean' }] }],
])('%s of a clone is planned before there is what it is cloned from', async (_, machines, more) => {
  const plan = await run('plan', machines, more);
  expect({ code: plan.code, asked: plan.said.includes('/qemu/0/') }).toEqual({ code: 0, asked: false });
  expect(plan.out).toContain('copy: would clone');
  expect((await run('reconcile', machines, more)).code).toBe(0);
  expect((await run('permissions', machines, more)).code).toBe(0);
});
