import { judged, lab, machine, resource, text, type Json } from '../../support/kubernetes/judged';

test('one that is wrong spoils itself only', async () => {
  const { working, faults } = await judged(lab(), machine('web'), machine('bad', { cpu: { cores: 0 } }));
  expect(working).toEqual(['lab/web']);
  expect(faults).toEqual({ bad: text('InvalidSpec: Machine bad: spec.cpu.cores: 0') });
});

test('and those that name it: also a clone, which would be looked for as a template', async () => {
  const { working, faults } = await judged(
    lab(),
    machine('source', { memory: 'much' }),
    resource('VMClone', 'copy', { sourceVMRef: { name: 'source' } }),
    machine('web'),
  );
  expect(working).toEqual(['lab/web']);
  expect(faults['copy']).toEqual(text('DependencyInvalid: spec.sourceVMRef names Machine team-a/source'));
});

test('a machine that names no cluster does not go to the other one when its own is wrong', async () => {
  const { working, faults } = await judged(lab('one', { limits: 'many' }), lab('two'), machine('web'));
  expect(working).toEqual([]);
  expect(faults['web']).toEqual(text('names no cluster'));
});

test('a cluster without its Secret, and its machines; another cluster goes on', async () => {
  const credentials = {
    username: 'root@pam',
    tokenID: 'full',
    tokenSecret: { secretRef: { name: 'lost', key: 'k' } },
  };
  const { working, faults } = await judged(
    ...[lab('one', { credentials }), lab('two')],
    ...[machine('a', { cluster: 'one' }), machine('b', { cluster: 'two' })],
  );
  expect(working).toEqual(['two/b']);
  expect(faults).toEqual({
    one: text('"lost" names no secret'),
    a: text('ProxmoxCluster team-a/one, which is wrong'),
  });
});

test('a cluster without credentials is unusable, and its machines say so', async () => {
  const { working, faults } = await judged(
    ...[lab('one', { credentials: {} }), lab('two')],
    ...[machine('a', { cluster: 'one' }), machine('b', { cluster: 'two' })],
  );
  expect(working).toEqual(['two/b']);
  expect(faults).toEqual({
    one: text('ClusterUnusable'),
    a: text('ClusterUnusable: cluster one cannot be used'),
  });
});

test('of two with one name the elder stays', async () => {
  const { working, faults } = await judged(lab(), machine('web'), resource('VirtualMachine', 'web', {}));
  expect(working).toEqual(['lab/web']);
  expect(Object.values(faults)).toEqual([text('is given twice, also at Machine team-a/web')]);
});

test('a cluster that is deleted serves its machines on, and takes no new ones', async () => {
  const going = { finalizers: ['pve-reconciler/machines'], deletionTimestamp: '2026-01-01T00:00:00Z' };
  const bound = { annotations: { 'pve-reconciler/cluster': 'lab' }, finalizers: ['pve-reconciler/guest'] };
  const cluster = resource('ProxmoxCluster', 'lab', lab().json['spec'] as Json, going);
  const { working, faults } = await judged(cluster, machine('old', {}, bound), machine('new'));
  expect(working).toEqual(['lab/old']);
  expect(faults).toEqual({ new: text('ProxmoxCluster team-a/lab is being deleted') });
});

test('a machine stays in the cluster that it is bound to', async () => {
  const bound = { annotations: { 'pve-reconciler/cluster': 'old' }, finalizers: ['pve-reconciler/guest'] };
  const { working, faults } = await judged(lab('lab'), machine('web', {}, bound));
  expect(working).toEqual([]);
  expect(faults['web']).toEqual(text('it is a machine of cluster old'));
});

test.each<[what: string, spec: Json, why: string | undefined]>([
  ['as it is', {}, undefined],
  ['wrong', { cpu: { cores: 0 } }, undefined],
  ['paused', { mode: 'paused' }, 'Set it to reconcile'],
  ['paused, and let go', { mode: 'paused', deletionPolicy: 'Retain' }, undefined],
  ['with a policy that is none', { deletionPolicy: 'retain' }, 'allowed: "Delete", "Retain"'],
])('a machine that is deleted, %s', async (_, spec, why) => {
  const metadata = {
    ...{ annotations: { 'pve-reconciler/cluster': 'lab' }, finalizers: ['pve-reconciler/guest'] },
    deletionTimestamp: '2026-01-01T00:00:00Z',
  };
  const { working, deleted } = await judged(lab(), machine('web', spec, metadata));
  expect(working).toEqual([]);
  expect(deleted).toEqual([{ name: 'web', cluster: 'lab', why: why === undefined ? undefined : text(why) }]);
});
