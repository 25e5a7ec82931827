import { brokenInvariants } from '../../../simulator/invariants/broken';
import { spaceOf } from '../../../simulator/storage/on-node';
import { marked, writes } from '../../support/cluster/end-state';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';
import { runLine } from '../../reconciler/walk/live';

/** A machine that is to be made anew, as its disk shrinks: what can be known before is refused before it is destroyed. */
const { node: _, ...web } = { ...blankMachine, rebuildOn: ['disks'] };
const disk = (more: Json = {}): Json => ({ name: 'root', size: '2G', storage: 'local-lvm', ...more });
const small = { disks: [disk()] };

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  expect(await cluster.bring(web)).toEqual([]);
  cluster.simulator.ledger.reset();
});
afterEach(async () => {
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  await cluster.close();
});

const plan = (wanted: Json) =>
  runLine(['plan', '--spec', '-'], programAccess(cluster.simulator), JSON.stringify(desiredJson([wanted])));

async function isRefused(wanted: Json, why: string): Promise<void> {
  const planned = await plan(wanted);
  expect(planned).toMatchObject({ code: 3, out: expect.stringContaining(why) as string });
  expect(planned.out).not.toContain('would destroy');
  expect((await cluster.bring(wanted)).join()).toContain(why);
  expect(writes(cluster.simulator)).toEqual([]);
  expect(marked(cluster.world, 'web')).toHaveLength(1);
}

test.each<[string, Json, string]>([
  ['a storage that no node has', { disks: [disk({ storage: 'nowhere' })] }, "storage 'nowhere' not found"],
  [
    'a bridge that no node has',
    { ...small, networks: [{ name: 'lan', bridge: 'vmbr99' }] },
    "bridge 'vmbr99'",
  ],
  ['nodes that are none', { ...small, placement: { nodes: ['pve9'] } }, 'not among placement.nodes'],
  [
    'labels that no node has',
    { ...small, placement: { nodeSelector: { rack: 'z' } } },
    'without the label rack=z',
  ],
  ['more memory than a node has', { ...small, memory: '2Ti' }, '2048Gi are wanted'],
  ['more room than a storage has', { disks: [disk(), disk({ name: 'data', size: '900Ti' })] }, 'are wanted'],
  ['a pool that is not there', { ...small, pool: 'nowhere' }, "pool 'nowhere' not found"],
  [
    'an ISO that is not there',
    { ...small, cdrom: 'local:iso/none.iso' },
    "volume 'local:iso/none.iso' not found",
  ],
])('a rebuild with %s is refused, and nothing is destroyed', (_what, more, why) =>
  isRefused({ ...web, ...more }, why),
);

test('a rebuild whose template has no such snapshot is refused, and nothing is destroyed', async () => {
  const image = { template: 9000, snapshot: 'golden' };
  await isRefused({ ...web, disks: [], image, rebuildOn: ['image', 'disks'] }, "has no snapshot 'golden'");
});

test.each([
  ['is what a thick disk gives back', 'lvm', '16G', ''],
  ['is less than what a thick disk gives back', 'lvm', '17G', '16Gi free, 17Gi are wanted'],
  ['may not be given back by a thin disk', 'lvmthin', '16G', '8Gi free, 16Gi are wanted'],
])('room that %s', async (_what, type, size, refused) => {
  await cluster.bring(undefined);
  cluster.world.storages.find(one => one.storage === 'local-lvm')!.type = type;
  expect(await cluster.bring(web)).toEqual([]);
  const storage = cluster.world.storages.find(one => one.storage === 'local-lvm')!;
  // the guests that were there leave 8 GiB beside the old disk
  const { node } = marked(cluster.world, 'web')[0]!;
  storage.total = spaceOf(cluster.simulator.sim, node, storage).used + 8 * 2 ** 30;
  const image = { iso: 'shared:iso/debian-12.9.0-amd64-netinst.iso' };
  const pinned = { ...web, node, pin: true, image, rebuildOn: ['image', 'disks'] };
  const errors = await cluster.bring({ ...pinned, disks: [disk({ size })] });
  expect(errors).toEqual(refused === '' ? [] : [expect.stringContaining(refused)]);
  expect(marked(cluster.world, 'web')).toHaveLength(1);
});

test('a rebuild of a machine of the same run waits for that one, and destroys nothing where it is not made', async () => {
  const wanted = { ...web, disks: [], image: { machine: 'base' }, rebuildOn: ['image', 'disks'] };
  const base = { ...blankMachine, id: 'base', asTemplate: true };
  const errors = errorsOf(await cluster.run(desired([{ ...base, pool: 'nowhere' }, wanted]))).join();
  expect(errors).toContain("machine 'base', which it is cloned from, was not made in this run");
  expect(writes(cluster.simulator)).toEqual([]);
  expect(errorsOf(await cluster.run(desired([base, wanted])))).toEqual([]);
  const order = writes(cluster.simulator).filter(line => /^DELETE|template|clone/.test(line));
  expect(order).toMatchObject(
    [/template/, /^DELETE/, /clone/].map(line => expect.stringMatching(line) as string),
  );
});

test('a rebuild where nothing new may be placed is refused, and nothing is destroyed', async () => {
  const nodes = ['pve1', 'pve2', 'pve3'].map(nodeName => ({ nodeName, schedulable: false }));
  const state = desired([{ ...web, ...small }]);
  expect(errorsOf(await cluster.run({ ...state, nodes })).join()).toContain('not schedulable');
  expect(writes(cluster.simulator)).toEqual([]);
});
