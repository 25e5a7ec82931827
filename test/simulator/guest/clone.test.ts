import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

const LIST = '/nodes/pve1/qemu';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

const create = (vmid: number, params: Record<string, string | number> = {}, node = 'pve1') =>
  cluster.run('POST', `/nodes/${node}/qemu`, { vmid, memory: 64, ...params });
const config = async (vmid: number, node = 'pve1') =>
  (await cluster.data('GET', `/nodes/${node}/qemu/${vmid}/config`)) as Record<string, string | number>;
const clone = (from: number, newid: number, params: Record<string, string | number> = {}) =>
  cluster.run('POST', `${LIST}/${from}/clone`, { newid, ...params });
const beginClone = (from: number, newid: number, params: Record<string, string | number> = {}) =>
  cluster.begin('POST', `${LIST}/${from}/clone`, { newid, ...params });

describe('a linked clone of a snapshot', () => {
  const storage = {
    storage: 'thin',
    type: 'lvmthin',
    content: 'images',
    shared: false,
    enabled: true,
    total: 2 ** 40,
  };

  it('is made on a thin pool, without a word of its origin', async () => {
    cluster.world.storages.push(storage);
    await create(100, { scsi0: 'thin:1' });
    await cluster.run('POST', `${LIST}/100/snapshot`, { snapname: 'one' });
    expect((await clone(100, 101, { snapname: 'one', full: 0 })).exitstatus).toBe('OK');
    expect((await config(101))['scsi0']).toBe('thin:vm-101-disk-0,size=1G');
  });
});

describe('a clone', () => {
  it('copies everything but its identity', async () => {
    const net = 'virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=7,firewall=1';
    await create(100, {
      name: 'web',
      net0: net,
      tags: 'a;b',
      description: 'one\ntwo',
      protection: 1,
      onboot: 1,
      ciuser: 'u',
      ipconfig0: 'ip=10.0.0.1/24',
      smbios1: 'uuid=40404040-0000-4000-8000-000000000001,serial=YWJj,base64=1',
    });
    await clone(100, 101);
    const [source, copy] = [await config(100), await config(101)];
    const own = ['digest', 'name', 'net0', 'smbios1', 'vmgenid', 'boot', 'meta'];
    for (const key of Object.keys(source).filter(each => !own.includes(each))) {
      expect([key, copy[key]]).toEqual([key, source[key]]);
    }
    expect(copy['name']).toBe('Copy-of-VM-web');
    expect(copy['net0']).toMatch(/^virtio=BC:24:11:(?!00:00:01)[0-9A-F:]{8},bridge=vmbr0,firewall=1,tag=7$/);
    expect(copy['smbios1']).toMatch(/^base64=1,serial=YWJj,uuid=(?!40404040)/);
    expect(copy['vmgenid']).not.toBe(source['vmgenid']);
  });

  it('leaves out snapshots, unused disks, waiting changes and the pool', async () => {
    await create(100, { scsi0: 'local:1,format=qcow2', scsi1: 'local:1,format=qcow2' });
    await cluster.run('POST', `${LIST}/100/snapshot`, { snapname: 'one' });
    await cluster.data('PUT', `${LIST}/100/config`, { delete: 'scsi1' });
    await cluster.run('POST', `${LIST}/100/status/start`);
    await cluster.data('PUT', `${LIST}/100/config`, { cores: 2 });
    cluster.world.pools['p'] = { vms: [100], storages: [] };
    const { log } = await clone(100, 101);
    expect(log).toContain("found pending changes for 'cores', discarding for clone");
    const copy = await config(101);
    expect(['unused0', 'parent', 'cores', 'scsi1'].filter(key => key in copy)).toEqual([]);
    expect(await cluster.data('GET', `${LIST}/101/snapshot`)).toHaveLength(1);
    expect(cluster.world.pools['p']).toMatchObject({ vms: [100] });
  });

  it('joins the pool that the caller names', async () => {
    await create(100);
    cluster.world.pools['p'] = { vms: [], storages: [] };
    await clone(100, 101, { pool: 'p' });
    expect(cluster.world.pools['p']).toMatchObject({ vms: [101] });
  });

  it('of a snapshot has the configuration of then, and its comment as description', async () => {
    await create(100, { cores: 1, tags: 'then', description: 'mine', scsi0: 'local:1,format=qcow2' });
    await cluster.run('POST', `${LIST}/100/snapshot`, { snapname: 'one', description: 'comment' });
    await cluster.data('PUT', `${LIST}/100/config`, { cores: 2, tags: 'now' });
    expect((await clone(100, 101, { snapname: 'one' })).exitstatus).toBe('OK');
    expect(await config(101)).toMatchObject({ cores: 1, tags: 'then', description: 'comment' });
  });

  it('shows a placeholder first, then its name while it is still locked', async () => {
    await create(100, { scsi0: 'local:1', scsi1: 'local:1', description: 'd' });
    const upid = await beginClone(100, 101, { name: 'copy', bwlimit: 1024 * 1024 });
    await cluster.pass(500);
    expect(await config(101)).toEqual({
      lock: 'clone',
      description: ' qmclone temporary file',
      digest: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    await cluster.pass(1000);
    expect(await config(101)).toMatchObject({ lock: 'clone', name: 'copy', description: 'd' });
    expect((await cluster.ended(upid)).exitstatus).toBe('OK');
    expect(await config(101)).not.toHaveProperty('lock');
  });

  it('that is stopped leaves nothing behind', async () => {
    await create(100, { scsi0: 'local:1', scsi1: 'local:1' });
    const before = cluster.world.volumes.length;
    const upid = await beginClone(100, 101, { bwlimit: 1024 });
    await cluster.pass(1000);
    expect(cluster.world.volumes.length).toBeGreaterThan(before);
    await cluster.data('DELETE', `/nodes/pve1/tasks/${encodeURIComponent(upid)}`);
    expect((await cluster.ended(upid)).exitstatus).toBe('clone failed: interrupted by signal');
    expect(cluster.world.volumes.length).toBe(before);
    expect(cluster.world.guests[101]).toBeUndefined();
    expect(await cluster.data('PUT', `${LIST}/100/config`, { cores: 2 })).toBeNull();
  });

  it('on full storage fails inside the task and leaves nothing behind', async () => {
    cluster.world.storages.push({
      storage: 'thin',
      type: 'lvm',
      content: 'images',
      shared: false,
      enabled: true,
      total: 1.5 * 1024 ** 3,
    });
    await create(100, { scsi0: 'thin:1' });
    const { exitstatus } = await clone(100, 101);
    expect(exitstatus).toMatch(
      /^clone failed: lvcreate 'pve\/vm-101-disk-0' error: .* insufficient free space/,
    );
    expect(cluster.world.guests[101]).toBeUndefined();
  });

  it('with a target moves there at the very end', async () => {
    await create(100, { scsi0: 'shared:1' });
    const upid = await beginClone(100, 101, { target: 'pve2' });
    await cluster.pass(300);
    expect(await config(101)).toMatchObject({ lock: 'clone' });
    await cluster.ended(upid);
    expect(await config(101, 'pve2')).toMatchObject({ scsi0: 'shared:101/vm-101-disk-0.raw,size=1G' });
    expect(await cluster.refusal('GET', `${LIST}/101/config`)).toBe(
      "500 Configuration file 'nodes/pve1/qemu-server/101.conf' does not exist",
    );
  });

  it.each([
    [{ target: 'pve9' }, "500 no such cluster node 'pve9'"],
    [{ target: 'pve2' }, "500 can't clone VM to node 'pve2' (VM uses local storage)"],
    [{ storage: 'second', target: 'pve2' }, "500 can't clone to non-shared storage 'second'"],
    [{ storage: 'nowhere' }, "500 storage 'nowhere' does not exist"],
    [{ snapname: 'never' }, "500 snapshot 'never' does not exist"],
    [{ pool: 'none' }, "403 Permission check failed (pool 'none' does not exist)"],
    [{ full: 0, format: 'raw' }, "500 parameter 'format' not allowed for linked clones"],
    [{ full: 0 }, "500 Linked clone feature is not supported for 'local:100/vm-100-disk-0.raw' (scsi0)"],
  ])('with %j is refused at once', async (params, text) => {
    await create(100, { scsi0: 'local:1' });
    expect(await cluster.refusal('POST', `${LIST}/100/clone`, { newid: 101, ...params })).toBe(text);
  });

  it('of a template is linked, and keeps the template from being destroyed', async () => {
    await create(100, { scsi0: 'local:1,format=qcow2' });
    await cluster.run('POST', `${LIST}/100/template`);
    await clone(100, 101);
    expect((await config(101))['scsi0']).toBe(
      'local:100/base-100-disk-0.qcow2/101/vm-101-disk-0.qcow2,size=1G',
    );
    expect((await cluster.run('DELETE', `${LIST}/100`)).exitstatus).toBe(
      "base volume 'local:100/base-100-disk-0.qcow2' is still in use by linked cloned",
    );
  });
});

describe('locks', () => {
  it('let several clones copy one source that is off', async () => {
    await create(100, { scsi0: 'local:1' });
    const upids = [
      await beginClone(100, 101, { bwlimit: 65536 }),
      await beginClone(100, 102, { bwlimit: 65536 }),
    ];
    const ends = await Promise.all(upids.map(upid => cluster.patiently(cluster.ended(upid))));
    expect(ends.map(({ exitstatus }) => exitstatus)).toEqual(['OK', 'OK']);
  });

  it('let one clone at a time copy a source that runs', async () => {
    await create(100, { scsi0: 'local:1' });
    await cluster.run('POST', `${LIST}/100/status/start`);
    const first = await beginClone(100, 101, { bwlimit: 65536 });
    const second = await clone(100, 102, { bwlimit: 65536 });
    expect(second.exitstatus).toBe("can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout");
    expect((await cluster.ended(first)).exitstatus).toBe('OK');
  });

  it('keep a write to the source waiting, and then refuse it', async () => {
    await create(100, { scsi0: 'local:1' });
    const upid = await beginClone(100, 101, { bwlimit: 65536 });
    await cluster.pass(200);
    const write = cluster.refusal('PUT', `${LIST}/100/config`, { cores: 2 });
    expect(await cluster.patiently(write)).toBe(
      "500 can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout",
    );
    expect((await cluster.ended(upid)).exitstatus).toBe('OK');
  });
});

describe('one id wanted twice', () => {
  it('on the same node is refused at once', async () => {
    await create(100);
    await create(101);
    expect(await cluster.refusal('POST', `${LIST}/100/clone`, { newid: 101 })).toBe(
      '500 unable to create VM 101: config file already exists',
    );
  });

  it.each([
    ['a guest', () => create(101, {}, 'pve2')],
    ['a container', () => container(101)],
  ])('of %s on another node fails inside the task', async (_, make) => {
    await create(100);
    await make();
    const before = structuredClone(cluster.world.guests[101]);
    expect((await clone(100, 101)).exitstatus).toBe(
      "close (rename) atomic file '/etc/pve/nodes/pve1/qemu-server/101.conf' failed: File exists",
    );
    expect(cluster.world.guests[101]).toEqual(before);
  });

  it('by two clones at once lets one of them win', async () => {
    await create(100);
    const upids = [await beginClone(100, 101, { name: 'a' }), await beginClone(100, 101, { name: 'b' })];
    const ends = await Promise.all(upids.map(upid => cluster.patiently(cluster.ended(upid))));
    expect(ends.map(({ exitstatus }) => exitstatus).sort()).toEqual([
      'OK',
      'unable to create VM 101: config file already exists',
    ]);
  });

  it('by a clone and a creator on two nodes lets one of them win', async () => {
    await create(100);
    const cloning = await beginClone(100, 101);
    const creating = cluster.request('POST', '/nodes/pve2/qemu', { vmid: 101, memory: 64 });
    const created = await cluster.patiently(creating);
    const { exitstatus } = await cluster.ended(cloning);
    const winners = [exitstatus === 'OK', created.status === 200].filter(Boolean);
    expect(winners).toHaveLength(1);
  });
});

function container(vmid: number): Promise<void> {
  cluster.world.guests[vmid] = {
    ...structuredClone(cluster.world.guests[100]!),
    vmid,
    type: 'lxc',
    node: 'pve2',
    config: { hostname: 'ct' },
  };
  return Promise.resolve();
}
