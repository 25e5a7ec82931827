import { parseDesiredState, formatProblems } from '../../../spec';
import { runLine } from '../../reconciler/walk/live';
import { writes } from '../../support/cluster/end-state';
import type { Json, Lab } from '../../support/cluster/lab';
import { desired, desiredJson, errorsOf, lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { until } from '../../support/processes/shared-lab';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const disks = [{ name: 'root', storage: 'shared', size: '1Gi' }];
const base: Json = { id: 'base', image: { blank: true }, disks, power: 'stopped' };
const copy = (id: string, machine: string, fields: Json = {}): Json => ({
  ...{ id, image: { machine }, power: 'stopped' },
  ...fields,
});
const names = (): unknown[] =>
  Object.values(cluster.world.guests)
    .filter(({ vmid }) => !cluster.others.includes(vmid))
    .map(({ config }) => config['name'])
    .sort();

test('a clone of a machine that is new too is made after it', async () => {
  expect(errorsOf(await cluster.run(desired([copy('copy', 'base'), base])))).toEqual([]);
  expect(names()).toEqual(['base', 'copy']);
  const made = writes(cluster.simulator).filter(line => /qemu$|clone$/.test(line));
  expect(made).toEqual(['POST /nodes/pve1/qemu', expect.stringMatching(/qemu\/\d+\/clone$/)]);
});

test('a chain of two is made in its order, and a second run does nothing', async () => {
  const all = desired([copy('third', 'second'), copy('second', 'base'), base]);
  expect(errorsOf(await cluster.run(all))).toEqual([]);
  expect(names()).toEqual(['base', 'second', 'third']);
  cluster.simulator.ledger.reset();
  expect(errorsOf(await cluster.run(all))).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
});

test('manifests with both new are one run', async () => {
  const manifest = (kind: string, name: string, spec: Json): string =>
    JSON.stringify({ apiVersion: 'infra.virtrigaud.io/v1beta1', kind, metadata: { name }, spec });
  const from = { providerRef: { name: 'lab' }, template: 'ubuntu-22.04', powerState: 'Off' };
  const text = [
    manifest('VMClone', 'copy', { sourceVMRef: { name: 'base' }, linkedClone: false }),
    manifest('VirtualMachine', 'base', from),
  ].join('\n---\n');
  const environment = { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' };
  const first = await runLine(['reconcile', '--manifests', '-'], environment, text);
  expect({ code: first.code, said: first.said }).toMatchObject({ code: 0 });
  expect(names()).toEqual(['base', 'copy']);
});

test('two runs at once make one of each', async () => {
  const all = desired([copy('copy', 'base'), base]);
  const ends = await Promise.all([cluster.run(all), cluster.run(all)]);
  expect(ends.flatMap(errorsOf)).toEqual([]);
  expect(names()).toEqual(['base', 'copy']);
});

test('what cannot be made ends its clone too, which says of whom', async () => {
  const broken = { ...base, disks: [{ name: 'root', storage: 'nowhere', size: '1Gi' }] };
  const errors = errorsOf(await cluster.run(desired([copy('copy', 'base'), broken])));
  expect(errors.join('\n')).toContain(
    "machine 'base', which it is cloned from, was not made in this run, or was removed since. See what is said of 'base', then run again. Nothing was changed.",
  );
  expect(names()).toEqual([]);
});

test('a machine that is only observed and not there is not waited for', async () => {
  const errors = errorsOf(await cluster.run(desired([copy('copy', 'base'), { ...base, mode: 'observe' }])));
  expect(errors.join('\n')).toContain(
    "machine 'base', which it is cloned from, was not made in this run, or was removed since.",
  );
});

test('a machine whose name is not its id is told from a clone of it that was cut short', async () => {
  const golden = { ...base, name: 'golden' };
  expect(errorsOf(await cluster.run(desired([golden])))).toEqual([]);
  // the clone is made, and keeps the tags of its source: the run that made it sends no more
  const effect = { kind: 'slow', ms: 3_600_000, work: 'not-done' } as const;
  cluster.simulator.faults.add({ methods: ['PUT', 'POST'], path: '/nodes/*/qemu/*/config', effect });
  void cluster.run(desired([golden, copy('first', 'base')])).catch(() => undefined);
  await until(() => cluster.simulator.faults.list()[0]?.hits === 1);
  cluster.simulator.faults.clear();
  expect(errorsOf(await cluster.run(desired([golden, copy('second', 'base')])))).toEqual([]);
  expect(names()).toEqual(['first', 'golden', 'second']);
});

test('a circle is one error', () => {
  const parsed = parseDesiredState(desiredJson([copy('a', 'b'), copy('b', 'c'), copy('c', 'a')]));
  expect(parsed.ok).toBe(false);
  expect(parsed.ok || formatProblems(parsed.problems)).toContain(
    'makes a circle: a is cloned from b is cloned from c is cloned from a',
  );
});
