import { listedStorages } from '../../reconciler/observe/listed-storages';
import type { ClusterResources } from '../../reconciler/pve';

type Row = ClusterResources['storages'][number];

const row = (node: string, storage: string, more: Partial<Row> = {}): Row => ({
  ...{ type: 'storage', node, storage, status: 'available', plugintype: 'nfs', content: 'images,iso' },
  ...{ shared: true, maxdisk: 1000, disk: 200, ...more },
});
const audits = { '/': { 'Datastore.Audit': 1 } };
const told = (rows: Row[], permissions: Record<string, Record<string, number>> = audits) =>
  Object.fromEntries(
    [...listedStorages(rows, { caller: 'ops@pve!tf', permissions })].map(([node, storages]) => [
      node,
      storages.map(({ name }) => name),
    ]),
  );

test('a storage is told with less room than a file system may have left', () => {
  const [storage] = listedStorages([row('a', 'one')], { caller: 'root@pam', permissions: audits }).get('a')!;
  expect(storage).toEqual({
    ...{ name: 'one', type: 'nfs', content: ['images', 'iso'], shared: true, active: true },
    available: 750,
    total: 1000,
  });
});

test.each<[string, Partial<Row>]>([
  ['is not told to be there', { status: 'unknown' }],
  ['has no kind', { plugintype: undefined }],
  ['has no content', { content: undefined }],
  ['has no size', { maxdisk: undefined }],
])('a node is left out where one of its storages %s', (_, more) => {
  expect(told([row('a', 'one'), row('a', 'two', more), row('b', 'one')])).toEqual({ b: ['one'] });
});

test.each<[string, Record<string, Record<string, number>>, boolean]>([
  ['on all', audits, true],
  ['on all storages', { '/': {}, '/storage': { 'Datastore.Audit': 1 } }, true],
  ['on none', { '/': {}, '/storage': {} }, false],
  ['on the folder alone', { '/': {}, '/storage': { 'Datastore.Audit': 0 } }, false],
  ['not on one', { ...audits, '/storage/one': { 'Datastore.AllocateSpace': 1 } }, false],
])('the listing is believed where the caller may audit them: %s', (_, permissions, isBelieved) => {
  expect(told([row('a', 'one')], permissions)).toEqual(isBelieved ? { a: ['one'] } : {});
});

test('it is not believed where nobody tells what the caller may do', () => {
  expect(listedStorages([row('a', 'one')], { permissions: audits }).size).toBe(0);
});
