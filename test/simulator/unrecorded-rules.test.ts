import type { OpenCluster } from '../support/cluster/open-cluster';
import { openCluster } from '../support/cluster/open-cluster';

/** Rules of behaviour.md §13 to §15 that no recording here shows. */

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

const VM = '/nodes/pve1/qemu/100';
const create = (params: Record<string, string | number> = {}) =>
  cluster.run('POST', '/nodes/pve1/qemu', { vmid: 100, memory: 64, ...params });
const put = (params: Record<string, string | number>) => cluster.refusal('PUT', `${VM}/config`, params);
const config = async () => (await cluster.data('GET', `${VM}/config`)) as Record<string, string>;

it('§15.21: tags that are only separators are stored as one blank', async () => {
  await create();
  expect(await put({ tags: ';' })).toBe('200 OK');
  expect((await config())['tags']).toBe(' ');
});

it('§13.12, §15.21: long names and many cores are accepted', async () => {
  await create();
  expect(await put({ name: 'a'.repeat(300) })).toBe('200 OK');
  expect(await put({ cores: 1000 })).toBe('200 OK');
  // what counts at the start is what the guest could have at most
  expect((await cluster.run('POST', `${VM}/status/start`)).exitstatus).toMatch(/^MAX \d+ vcpus allowed/);
});

it('§15.21: enrolled keys are told apart without a new EFI disk', async () => {
  await create({ bios: 'ovmf', efidisk0: 'local:1,efitype=4m,pre-enrolled-keys=1' });
  const [volume] = ((await config())['efidisk0'] ?? '').split(',');
  expect(await put({ efidisk0: `${volume},efitype=4m,pre-enrolled-keys=0` })).toBe('200 OK');
  expect((await config())['efidisk0']).toBe(`${volume},efitype=4m,pre-enrolled-keys=0,size=528K`);
  expect(await config()).not.toHaveProperty('unused0');
});

it('§15.21: the TPM state of a running guest does not move', async () => {
  await create({ tpmstate0: 'local:1,version=v2.0' });
  await cluster.run('POST', `${VM}/status/start`);
  const move = { disk: 'tpmstate0', storage: 'second' };
  expect((await cluster.run('POST', `${VM}/move_disk`, move)).exitstatus).toBe(
    'storage migration failed: cannot move TPM state while VM is running',
  );
});

it('§13.10: a volume may be named for another guest, and an unused one need not exist', async () => {
  cluster.breaks(/uses local:100\/vm-100-disk-77\.raw, which is not on pve1|vm-100-data\.raw/);
  await create();
  const content = '/nodes/pve1/storage/local/content';
  expect(await cluster.data('POST', content, { vmid: 999, filename: 'vm-100-data.raw', size: '1M' })).toBe(
    'local:999/vm-100-data.raw',
  );
  expect(await put({ unused0: 'local:100/vm-100-disk-77.raw' })).toBe('200 OK');
});

it('§15.20: a rule that has lost a resource says that it is ineffective, an empty one is gone', async () => {
  for (const vmid of [201, 202]) {
    await cluster.run('POST', '/nodes/pve1/qemu', { vmid, memory: 64 });
    await cluster.data('POST', '/cluster/ha/resources', { sid: `vm:${vmid}`, state: 'stopped' });
  }
  const rule = { rule: 'both', type: 'resource-affinity', resources: 'vm:201,vm:202', affinity: 'positive' };
  await cluster.data('POST', '/cluster/ha/rules', rule);
  await cluster.data('DELETE', '/cluster/ha/resources/vm:202');
  expect(await cluster.data('GET', '/cluster/ha/rules/both')).toMatchObject({
    resources: 'vm:201',
    errors: { resources: ['rule is ineffective as there are less than two resources'] },
  });
  await cluster.data('DELETE', '/cluster/ha/resources/vm:201');
  expect(await cluster.data('GET', '/cluster/ha/rules')).toEqual([]);
});

it('§15.10: a clone stays on the storages of its source', async () => {
  await create({ scsi0: 'second:0.125', scsi1: 'shared:0.125' });
  await cluster.run('POST', `${VM}/clone`, { newid: 101, full: 1 });
  expect(await cluster.data('GET', '/nodes/pve1/qemu/101/config')).toMatchObject({
    scsi0: 'second:101/vm-101-disk-0.raw,size=128M',
    scsi1: 'shared:101/vm-101-disk-0.raw,size=128M',
  });
});

it('§15.8: a new CD drive is put at the end of the boot order, by itself', async () => {
  await create({ scsi0: 'local:0.125' });
  await put({ sata0: 'none,media=cdrom' });
  expect((await config())['boot']).toBe('order=scsi0;sata0');
});

it('the memory of a guest is kept beside its disks: on a shared storage first, of several on the last folder', async () => {
  await create({ scsi0: 'second:0.125,format=qcow2', scsi1: 'local:0.125,format=qcow2' });
  await cluster.run('POST', `${VM}/status/start`);
  const keptBy = async (snapname: string) => {
    await cluster.run('POST', `${VM}/snapshot`, { snapname, vmstate: 1 });
    return ((await cluster.data('GET', `${VM}/snapshot/${snapname}/config`)) as Record<string, string>)[
      'vmstate'
    ];
  };
  expect(await keptBy('one')).toBe('second:100/vm-100-state-one.raw');
  await put({ scsi2: 'shared:0.125,format=qcow2' });
  expect(await keptBy('two')).toBe('shared:100/vm-100-state-two.raw');
  await put({ vmstatestorage: 'local' });
  expect(await keptBy('three')).toBe('local:100/vm-100-state-three.raw');
});
