import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

const create = (storage: string, path: string, more: Record<string, string | number> = {}) =>
  cluster.data('POST', '/storage', { storage, type: 'dir', path, content: 'images', ...more });
const allocate = (storage: string) =>
  cluster.data('POST', `/nodes/pve1/storage/${storage}/content`, { vmid: 500, filename: '', size: '1M' });
const seenFrom = async (node: string, storage: string) => {
  const rows = await cluster.data('GET', `/nodes/${node}/storage/${storage}/content`);
  return (rows as { volid: string }[]).map(({ volid }) => volid);
};

it.each([
  ['of its own', '/srv/own', {}, []],
  ['that is said to be shared, and is not', '/srv/said', { shared: 1 }, []],
  ['below one that is shared', '/mnt/shared/below', { shared: 1 }, ['new:500/vm-500-disk-0.raw']],
  ['below one that is shared, and is not said to be', '/mnt/shared/below', {}, ['new:500/vm-500-disk-0.raw']],
])('a folder %s holds on the other node what it holds', async (_, path, more, there) => {
  await create('new', path, more);
  expect(await allocate('new')).toBe('new:500/vm-500-disk-0.raw');
  expect(await seenFrom('pve1', 'new')).toEqual(['new:500/vm-500-disk-0.raw']);
  expect(await seenFrom('pve2', 'new')).toEqual(there);
});

it('the flag moves no files', async () => {
  await create('new', '/srv/own');
  await allocate('new');
  await cluster.data('PUT', '/storage/new', { shared: 1 });
  expect(await cluster.data('GET', '/storage/new')).toMatchObject({ shared: 1 });
  expect(await seenFrom('pve2', 'new')).toEqual([]);
  expect(await allocate('new')).toBe('new:500/vm-500-disk-1.raw');
  expect(await seenFrom('pve2', 'new')).toEqual([]);
  await cluster.data('PUT', '/storage/shared', { shared: 0 });
  expect(await allocate('shared')).toBe('shared:500/vm-500-disk-0.raw');
  expect(await seenFrom('pve2', 'shared')).toContain('shared:500/vm-500-disk-0.raw');
});

it('a volume without a name gets the next free one, in the format that is asked for', async () => {
  const make = (more: Record<string, string>) =>
    cluster.data('POST', '/nodes/pve1/storage/local/content', {
      vmid: 500,
      filename: '',
      size: '1M',
      ...more,
    });
  expect(await make({})).toBe('local:500/vm-500-disk-0.raw');
  expect(await make({ format: 'qcow2' })).toBe('local:500/vm-500-disk-1.qcow2');
  expect(await cluster.refusal('POST', '/nodes/pve1/storage/local/content', { vmid: 500, size: '1M' })).toBe(
    '400 {"filename":"property is missing and it is not optional"}',
  );
});
