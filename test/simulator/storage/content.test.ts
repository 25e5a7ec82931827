import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';
import { twoNodeWorld } from '../../support/cluster/two-node-world';

const GiB = 1024 ** 3;
const SECRET = '22222222-2222-4222-8222-222222222222';
const SEES = `see@pve!t=${SECRET}`;
const WORLD = {
  storages: [
    {
      storage: 'local',
      type: 'dir',
      path: '/var/lib/vz',
      content: 'images,iso,vztmpl,snippets,backup',
      total: 100 * GiB,
    },
    {
      storage: 'thin',
      type: 'lvmthin',
      content: 'images,rootdir',
      options: { vgname: 'pve', thinpool: 'data' },
    },
    { storage: 'tank', type: 'zfspool', content: 'images', options: { pool: 'tank/vms', sparse: '1' } },
    { storage: 'nfs', type: 'nfs', content: 'images,iso', options: { server: '192.0.2.9', export: '/x' } },
    { storage: 'far', type: 'dir', path: '/far', content: 'iso', nodes: ['pve2'] },
    { storage: 'off', type: 'dir', path: '/off', content: 'iso', enabled: false },
  ],
  volumes: [
    { node: 'pve1', volid: 'local:iso/a.iso', size: 1000, ctime: 5 },
    { node: 'pve1', volid: 'local:vztmpl/alpine.tar.xz', size: 2000 },
    { node: 'pve1', volid: 'local:snippets/user.yaml', size: 14 },
    {
      node: 'pve1',
      volid: 'local:backup/vzdump-qemu-100-2026_01_02-03_04_05.vma.zst',
      size: 3000,
      vmid: 100,
      notes: 'one\ntwo',
    },
    { node: 'pve1', volid: 'local:100/vm-100-disk-0.qcow2', size: GiB, filesize: 4096 },
    { node: 'pve1', volid: 'local:9/base-9-disk-0.raw', size: GiB, filesize: 4096 },
    {
      node: 'pve1',
      volid: 'local:9/base-9-disk-0.raw/101/vm-101-disk-0.qcow2',
      size: GiB,
      filesize: 0,
      parent: 'local:9/base-9-disk-0.raw',
    },
    { node: 'pve1', volid: 'thin:vm-100-disk-0', size: GiB, filesize: 0 },
    { node: 'pve2', volid: 'thin:vm-200-disk-0', size: GiB, filesize: 0 },
    { node: 'pve1', volid: 'tank:base-9-disk-0/vm-101-disk-0', size: GiB, parent: 'tank:base-9-disk-0' },
    { node: 'pve1', volid: 'tank:base-9-disk-0', size: GiB },
    { node: '*', volid: 'nfs:iso/b.iso', size: 10 },
  ],
  users: { 'root@pam': { enable: 1 }, 'see@pve': { enable: 1, password: 'secret-1' } },
  tokens: { 'see@pve!t': { privsep: 0, value: SECRET } },
  acl: [{ path: '/storage/local', ugid: 'see@pve', roleid: 'PVEDatastoreUser', propagate: 1 }],
};

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster({ world: twoNodeWorld(WORLD) });
});
afterEach(() => cluster.close());

const get = async (path: string, params: Record<string, string> = {}) =>
  (await cluster.request('GET', path, params)).data;
const content = async (storage: string, params: Record<string, string> = {}): Promise<string[]> =>
  (await get(`/nodes/pve1/storage/${storage}/content`, params)).map(({ volid }: { volid: string }) => volid);
const outcome = async (method: string, path: string, params: Record<string, string> = {}) => {
  const { status, reason, json: body } = await cluster.patiently(cluster.request(method, path, params));
  return body?.errors ? [status, body.errors] : [status, reason];
};

describe('the list of storages', () => {
  it('shows their definitions', async () => {
    const rows = await get('/storage');
    const { digest } = rows[0];
    expect(digest).toMatch(/^[0-9a-f]{40}$/);
    expect(rows).toEqual(
      expect.arrayContaining([
        { storage: 'tank', type: 'zfspool', content: 'images', pool: 'tank/vms', sparse: 1, digest },
        { storage: 'far', type: 'dir', content: 'iso', path: '/far', nodes: 'pve2', digest },
        { storage: 'off', type: 'dir', content: 'iso', path: '/off', disable: 1, digest },
        { storage: 'nfs', type: 'nfs', content: 'images,iso', server: '192.0.2.9', export: '/x', digest },
      ]),
    );
    expect(await get('/storage', { type: 'lvmthin' })).toHaveLength(1);
  });

  it('shows nothing without a privilege, and one row with it', async () => {
    expect((await cluster.request('GET', '/storage', {}, SEES)).data).toHaveLength(1);
    expect((await cluster.request('GET', '/nodes/pve1/storage', {}, SEES)).data).toHaveLength(1);
    expect((await cluster.request('GET', '/storage/local', {}, SEES)).reason).toBe(
      'Permission check failed (/storage/local, Datastore.Allocate)',
    );
  });

  it('tells the state on a node; what cannot be used there has no space', async () => {
    const rows = await get('/nodes/pve1/storage');
    expect(rows).toHaveLength(6);
    expect(rows.find(({ storage }: { storage: string }) => storage === 'local')).toEqual({
      storage: 'local',
      type: 'dir',
      content: 'images,iso,vztmpl,snippets,backup',
      shared: 0,
      enabled: 1,
      active: 1,
      total: 100 * GiB,
      used: 14206,
      avail: 100 * GiB - 14206,
      used_fraction: 14206 / (100 * GiB),
    });
    expect(rows.find(({ storage }: { storage: string }) => storage === 'far')).toEqual({
      storage: 'far',
      type: 'dir',
      content: 'iso',
      shared: 0,
      enabled: 0,
      active: 0,
      total: 0,
      used: 0,
      avail: 0,
    });
  });

  it.each<[Record<string, string>, string[]]>([
    [{ content: 'iso' }, ['local', 'nfs']],
    [{ content: 'rootdir,vztmpl' }, ['local', 'thin']],
    [{ enabled: '1' }, ['local', 'thin', 'tank', 'nfs', 'far']],
    [{ target: 'pve2' }, ['nfs']],
    [{ storage: 'thin' }, ['thin']],
  ])('filters by %j', async (params, storages) => {
    const rows = await get('/nodes/pve1/storage', params);
    expect(rows.map(({ storage }: { storage: string }) => storage)).toEqual(storages);
  });

  it('tells formats when asked', async () => {
    const [row] = await get('/nodes/pve1/storage', { storage: 'thin', format: '1' });
    expect(row).toMatchObject({
      format: [{ raw: 1 }, 'raw'],
      formats: { supported: ['raw'], default: 'raw' },
    });
  });

  it('refuses a storage that is none', async () => {
    expect(await outcome('GET', '/nodes/pve1/storage/no/status')).toEqual([
      400,
      { storage: 'No such storage.' },
    ]);
    expect(await outcome('GET', '/nodes/pve1/storage/off/content')).toEqual([
      500,
      "storage 'off' is disabled",
    ]);
    expect(await outcome('GET', '/nodes/pve1/storage/far/content')).toEqual([
      500,
      "storage 'far' is not available on node 'pve1'",
    ]);
  });

  it('keeps a flag that is 0, and no text that is empty (assumed)', async () => {
    const params = { storage: 'plain', type: 'dir', path: '/plain', nodes: '', 'prune-backups': '' };
    await cluster.data('POST', '/storage', { ...params, shared: '0', disable: '0' });
    const read = async () => (await cluster.data('GET', '/storage/plain')) as Record<string, unknown>;
    expect(await read()).toMatchObject({ shared: 0, disable: 0 });
    expect(Object.keys(await read())).not.toEqual(expect.arrayContaining(['nodes']));
    expect(await read()).not.toHaveProperty('prune-backups');
    expect((await cluster.request('GET', '/nodes/pve1/storage/plain/status')).status).toBe(200);
    await cluster.data('PUT', '/storage/plain', { shared: '1', disable: '1' });
    expect(await read()).toMatchObject({ shared: 1, disable: 1 });
    await cluster.data('PUT', '/storage/plain', { delete: 'shared,disable' });
    expect(await read()).not.toHaveProperty('shared');
    expect(await read()).not.toHaveProperty('disable');
  });

  it('may be a cephfs, which Proxmox mounts by its name (assumed)', async () => {
    const params = { storage: 'files', type: 'cephfs', 'fs-name': 'main', monhost: '10.0.0.1' };
    expect((await cluster.request('POST', '/storage', params)).data).toEqual({
      storage: 'files',
      type: 'cephfs',
    });
    expect((await cluster.request('GET', '/storage/files')).data).toMatchObject({
      ...params,
      ...{ path: '/mnt/pve/files', content: 'backup' },
    });
  });

  it('is changed by those who may', async () => {
    const params = { storage: 'new', type: 'dir', path: '/new', content: 'iso' };
    expect((await cluster.request('POST', '/storage', params)).data).toEqual({
      storage: 'new',
      type: 'dir',
    });
    expect(await outcome('POST', '/storage', params)).toEqual([
      500,
      "create storage failed: storage ID 'new' already defined",
    ]);
    expect(await outcome('POST', '/storage', { storage: 'pool', type: 'zfspool' })).toEqual([
      500,
      "missing value for required option 'pool'",
    ]);
    expect(await outcome('PUT', '/storage/new', { delete: 'colour' })).toEqual([
      500,
      "update storage failed: no such option 'colour'",
    ]);
    expect(await outcome('PUT', '/storage/new', { delete: 'path' })).toEqual([
      500,
      "update storage failed: unable to delete required option 'path'",
    ]);
    expect(await outcome('PUT', '/storage/new', { delete: 'server' })).toEqual([
      500,
      "update storage failed: no such option 'server'",
    ]);
    expect(await outcome('POST', '/storage', { ...params, storage: 'odd', path: '/a b' })).toEqual([
      500,
      'illegal path for directory storage: /a b',
    ]);
    expect(await outcome('POST', '/storage', { ...params, storage: 'odd', server: 'a.b' })).toEqual([
      500,
      "unexpected property 'server'",
    ]);
    expect(await outcome('PUT', '/storage/new', { username: 'x' })).toEqual([
      500,
      "update storage failed: unexpected property 'username'",
    ]);
    expect(await outcome('PUT', '/storage/new', { content: 'none,iso' })).toEqual([
      500,
      "update storage failed: unable to combine 'none' with other content types",
    ]);
    await cluster.request('PUT', '/storage/new', { disable: '1', nodes: 'pve2' });
    expect(await get('/storage/new')).toMatchObject({ disable: 1, nodes: 'pve2' });
    expect((await cluster.request('DELETE', '/storage/new')).json).toEqual({ data: null });
    expect(await outcome('GET', '/storage/new')).toEqual([500, "storage 'new' does not exist"]);
  });
});

describe('the content of a storage', () => {
  it('is listed with what each type of storage knows', async () => {
    expect(await get('/nodes/pve1/storage/thin/content')).toEqual([
      {
        volid: 'thin:vm-100-disk-0',
        vmid: 100,
        format: 'raw',
        size: GiB,
        content: 'images',
        ctime: expect.any(Number),
      },
    ]);
    expect(await get('/nodes/pve1/storage/tank/content', { vmid: '101' })).toEqual([
      {
        volid: 'tank:base-9-disk-0/vm-101-disk-0',
        vmid: 101,
        format: 'raw',
        size: GiB,
        content: 'images',
        name: 'vm-101-disk-0',
        parent: 'base-9-disk-0@__base__',
      },
    ]);
    expect(await get('/nodes/pve1/storage/local/content', { vmid: '101' })).toContainEqual({
      volid: 'local:9/base-9-disk-0.raw/101/vm-101-disk-0.qcow2',
      vmid: 101,
      format: 'qcow2',
      size: GiB,
      used: 0,
      parent: '../9/base-9-disk-0.raw',
      content: 'images',
      ctime: expect.any(Number),
    });
    expect(await get('/nodes/pve1/storage/local/content', { content: 'backup' })).toEqual([
      {
        volid: 'local:backup/vzdump-qemu-100-2026_01_02-03_04_05.vma.zst',
        vmid: 100,
        format: 'vma.zst',
        subtype: 'qemu',
        notes: 'one',
        size: 3000,
        content: 'backup',
        ctime: expect.any(Number),
      },
    ]);
    const [archive] = await get('/nodes/pve1/storage/local/content', { content: 'vztmpl' });
    expect(archive).toMatchObject({ format: 'txz', content: 'vztmpl' });
  });

  it('leaves ISO images out when a guest is named', async () => {
    expect(await content('local', { vmid: '100' })).toEqual([
      'local:100/vm-100-disk-0.qcow2',
      'local:backup/vzdump-qemu-100-2026_01_02-03_04_05.vma.zst',
      'local:snippets/user.yaml',
    ]);
  });

  it('shows only what the caller may read', async () => {
    const { json: body } = await cluster.request('GET', '/nodes/pve1/storage/local/content', {}, SEES);
    expect(body.data.map(({ volid }: { volid: string }) => volid)).toEqual([
      'local:iso/a.iso',
      'local:vztmpl/alpine.tar.xz',
    ]);
  });

  it.each([
    ['local:iso/a.iso', { path: '/var/lib/vz/template/iso/a.iso', format: 'raw', size: 1000, used: 1000 }],
    [
      '100/vm-100-disk-0.qcow2',
      { path: '/var/lib/vz/images/100/vm-100-disk-0.qcow2', format: 'qcow2', size: GiB, used: 4096 },
    ],
  ])('describes %s', async (volume, facts) => {
    expect(await get(`/nodes/pve1/storage/local/content/${volume}`)).toEqual(facts);
  });

  it.each([
    ['local/content/local:iso/no.iso', 500, "volume_size_info on 'local:iso/no.iso' failed - no format"],
    ['local/content/nonsense', 500, "unable to parse directory volume name 'nonsense'"],
    ['local/content/thin:vm-100-disk-0', 400, { volume: 'storage ID mismatch (thin != local)\n' }],
  ])('does not describe %s', async (path, status, why) => {
    expect(await outcome('GET', `/nodes/pve1/storage/${path}`)).toEqual([status, why]);
  });
});

describe('making and deleting volumes', () => {
  const at = (storage: string): string => `/nodes/pve1/storage/${storage}/content`;
  const make = (storage: string, filename: string, more: Record<string, string> = {}) =>
    cluster.request('POST', at(storage), { vmid: '100', filename, size: '1G', ...more });

  it('allocates under the name that is asked for', async () => {
    expect((await make('local', 'vm-100-data.qcow2')).data).toBe('local:100/vm-100-data.qcow2');
    expect((await make('thin', 'vm-100-data')).data).toBe('thin:vm-100-data');
    expect(await get(`${at('local')}/local:100/vm-100-data.qcow2`)).toMatchObject({ size: GiB });
  });

  it.each<[string, string, Record<string, string>, unknown]>([
    [
      'local',
      'vm-100-disk-0.qcow2',
      {},
      "disk image '/var/lib/vz/images/100/vm-100-disk-0.qcow2' already exists",
    ],
    ['local', 'data', {}, "unable to parse volume filename 'data'"],
    ['thin', 'data', {}, "illegal name 'data' - should be 'vm-100-*'"],
    ['local', 'a.raw', { format: 'qcow2' }, { format: 'different storage formats (qcow2 != raw)' }],
  ])('refuses on %s the name %s', async (storage, filename, more, why) => {
    const { errors, reason } = await make(storage, filename, more);
    expect(errors ?? reason).toEqual(why);
  });

  it('deletes in a task that names the owner', async () => {
    const task = await cluster.run('DELETE', `${at('local')}/local:100/vm-100-disk-0.qcow2`);
    expect(task).toMatchObject({ exitstatus: 'OK', type: 'imgdel', id: '100@local' });
    expect(await content('local', { content: 'images', vmid: '100' })).toEqual([]);
  });

  it('answers null when the task ends within the delay', async () => {
    const asked = cluster.request('DELETE', `${at('local')}/local:iso/a.iso`, { delay: '5' });
    const { json: body } = await cluster.patiently(asked);
    expect(body).toEqual({ data: null });
    expect(await content('local', { content: 'iso' })).toEqual([]);
  });

  it.each([
    [
      'thin',
      'vm-100-disk-9',
      'lvremove \'pve/vm-100-disk-9\' error:   Failed to find logical volume "pve/vm-100-disk-9"',
    ],
    ['tank', 'vm-100-disk-9', "zfs error: cannot open 'tank/vms/vm-100-disk-9': dataset does not exist"],
    ['local', 'iso/no.iso', 'OK'],
  ])('deletes what is not there on %s: %s', async (storage, name, exitstatus) => {
    expect((await cluster.run('DELETE', `${at(storage)}/${storage}:${name}`)).exitstatus).toBe(exitstatus);
  });

  it('needs a quorum on shared storages, on local ones not', async () => {
    if (cluster.world.cluster) cluster.world.cluster.quorate = false;
    expect((await make('nfs', 'vm-100-a.raw')).reason).toBe("cfs-lock 'storage-nfs' error: no quorum!");
    expect((await make('local', 'vm-100-a.raw')).status).toBe(200);
  });

  it('does not take a block volume from a running guest', async () => {
    await cluster.run('POST', '/nodes/pve1/qemu', { vmid: '300', scsi0: 'thin:1', scsi1: 'local:1' });
    await cluster.run('POST', '/nodes/pve1/qemu/300/status/start');
    const thin = await cluster.run('DELETE', `${at('thin')}/thin:vm-300-disk-0`);
    expect(thin.exitstatus).toMatch(/Logical volume pve\/vm-300-disk-0 in use\.$/);
    const file = await cluster.run('DELETE', `${at('local')}/local:300/vm-300-disk-0.raw`);
    expect(file.exitstatus).toBe('OK');
  });

  it('keeps a base that clones stand on', async () => {
    const task = await cluster.run('DELETE', `${at('local')}/local:9/base-9-disk-0.raw`);
    expect(task.exitstatus).toBe("base volume 'local:9/base-9-disk-0.raw' is still in use by linked cloned");
    expect(await outcome('DELETE', `${at('tank')}/tank:base-9-disk-0`, { delay: '5' })).toEqual([
      500,
      "base volume 'tank:base-9-disk-0' is still in use by linked cloned",
    ]);
  });

  it('notes and protects backups, and nothing else', async () => {
    const backup = `${at('local')}/local:backup/vzdump-qemu-100-2026_01_02-03_04_05.vma.zst`;
    await cluster.request('PUT', backup, { notes: 'new', protected: '1' });
    expect(await get(backup)).toMatchObject({ notes: 'new', protected: 1 });
    expect((await cluster.run('DELETE', backup)).exitstatus).toMatch(/^cannot remove protected volume /);
    const iso = (params: Record<string, string>) => outcome('PUT', `${at('local')}/local:iso/a.iso`, params);
    expect(await iso({ notes: 'x' })).toEqual([500, 'only backups can have notes']);
    expect(await iso({ protected: '1' })).toEqual([500, "only backups support attribute 'protected'"]);
  });
});

describe('what the types of storage can do', () => {
  it.each([
    ['local:1', [0, 0, 1]],
    ['local:1,format=qcow2', [1, 0, 1]],
    ['thin:1', [1, 0, 1]],
    ['tank:1', [1, 0, 1]],
  ])('%s', async (scsi0, [snapshot, clone, copy]) => {
    await cluster.run('POST', '/nodes/pve1/qemu', { vmid: '300', scsi0 });
    const has = async (feature: string): Promise<number> =>
      (await get('/nodes/pve1/qemu/300/feature', { feature })).hasFeature;
    expect([await has('snapshot'), await has('clone'), await has('copy')]).toEqual([snapshot, clone, copy]);
  });

  it.each([
    ['local:1', 'local:300/base-300-disk-0.raw/301/vm-301-disk-0.qcow2'],
    ['thin:1', 'thin:vm-301-disk-0'],
    ['tank:1', 'tank:base-300-disk-0/vm-301-disk-0'],
    ['nfs:1,format=qcow2', 'nfs:300/base-300-disk-0.qcow2/301/vm-301-disk-0.qcow2'],
  ])('a linked clone of %s is %s', async (scsi0, volid) => {
    await cluster.run('POST', '/nodes/pve1/qemu', { vmid: '300', scsi0 });
    await cluster.run('POST', '/nodes/pve1/qemu/300/template');
    await cluster.run('POST', '/nodes/pve1/qemu/300/clone', { newid: '301' });
    expect((await get('/nodes/pve1/qemu/301/config'))['scsi0']).toBe(`${volid},size=1G`);
  });
});
