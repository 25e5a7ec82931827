import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

const VM = '/nodes/pve1/qemu/100';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

const create = (params: Record<string, string | number> = {}) =>
  cluster.run('POST', '/nodes/pve1/qemu', {
    vmid: 100,
    memory: 64,
    scsi0: 'local:1,format=qcow2',
    ...params,
  });
const take = (snapname: string, params: Record<string, string | number> = {}) =>
  cluster.run('POST', `${VM}/snapshot`, { snapname, ...params });
const rollBack = (name: string, params: Record<string, string | number> = {}) =>
  cluster.run('POST', `${VM}/snapshot/${name}/rollback`, params);
const config = async () => (await cluster.data('GET', `${VM}/config`)) as Record<string, string | number>;
const put = (params: Record<string, string | number>) => cluster.data('PUT', `${VM}/config`, params);
const tree = async () => {
  const rows = (await cluster.data('GET', `${VM}/snapshot`)) as { name: string; parent?: string }[];
  return Object.fromEntries(rows.map(({ name, parent }) => [name, parent]));
};

describe('a snapshot', () => {
  it('locks the guest and is marked as long as it is taken', async () => {
    await create();
    const upid = await cluster.begin('POST', `${VM}/snapshot`, { snapname: 'one' });
    expect(await config()).toMatchObject({ lock: 'snapshot' });
    const rows = (await cluster.data('GET', `${VM}/snapshot`)) as Record<string, string>[];
    expect(rows.find(({ name }) => name === 'one')).toMatchObject({ snapstate: 'prepare' });
    expect((await cluster.ended(upid)).exitstatus).toBe('OK');
    expect(await config()).toMatchObject({ parent: 'one' });
    expect(await config()).not.toHaveProperty('lock');
  });

  it('that is interrupted leaves nothing behind', async () => {
    await create();
    const upid = await cluster.begin('POST', `${VM}/snapshot`, { snapname: 'one' });
    await cluster.data('DELETE', `/nodes/pve1/tasks/${encodeURIComponent(upid)}`);
    const { exitstatus, log } = await cluster.ended(upid);
    expect(exitstatus).toBe('received interrupt');
    expect(log).toContain('snapshot create failed: starting cleanup');
    expect(await tree()).toEqual({ current: undefined });
    expect(await config()).not.toHaveProperty('lock');
  });

  it('saves the memory of a guest that runs, when asked to', async () => {
    await create();
    await cluster.run('POST', `${VM}/status/start`);
    await take('ram', { vmstate: 1 });
    const kept = (await cluster.data('GET', `${VM}/snapshot/ram/config`)) as Record<string, string>;
    expect(kept['vmstate']).toBe('local:100/vm-100-state-ram.raw');
    expect(kept['runningmachine']).toMatch(/^pc-i440fx-/);
    // PVE: the line is written without a value when there is no virtio card
    expect(kept['running-nets-host-mtu']).toBe(' ');
    const path = `/nodes/pve1/storage/local/content/${kept['vmstate']}`;
    // twice the memory and 500 MiB are allocated; what was not needed is cut off from the file
    expect(await cluster.data('GET', path)).toMatchObject({ size: 16 * 1024 ** 2 });
    await cluster.run('DELETE', `${VM}/snapshot/ram`);
    expect(cluster.world.volumes.some(({ volid }) => volid === kept['vmstate'])).toBe(false);
  });

  it('with memory names the MTU of virtio cards, and a rollback forgets it', async () => {
    await create({ net0: 'virtio,bridge=vmbr0', net1: 'e1000,bridge=vmbr0', net2: 'virtio,bridge=vmbr0' });
    await cluster.run('POST', `${VM}/status/start`);
    await take('ram', { vmstate: 1 });
    const kept = (await cluster.data('GET', `${VM}/snapshot/ram/config`)) as Record<string, string>;
    expect(kept['running-nets-host-mtu']).toBe('net0=1500,net2=1500');
    await rollBack('ram');
    expect(Object.keys(await config()).filter(key => /^(running|vmstate)/.test(key))).toEqual([]);
  });

  it('is refused inside the task for a template and where the storage cannot', async () => {
    await create({ scsi0: 'local:1,format=raw' });
    expect((await take('one')).exitstatus).toBe('snapshot feature is not available');
    await cluster.run('POST', `${VM}/template`);
    expect((await take('one')).exitstatus).toBe("you can't take a snapshot if it's a template");
  });
});

describe('the tree', () => {
  it('closes over a snapshot that goes', async () => {
    await create();
    for (const name of ['one', 'two', 'three']) await take(name);
    await cluster.run('DELETE', `${VM}/snapshot/two`);
    expect(await tree()).toEqual({ one: undefined, three: 'one', current: 'three' });
    await cluster.run('DELETE', `${VM}/snapshot/three`);
    expect(await tree()).toEqual({ one: undefined, current: 'one' });
    await cluster.run('DELETE', `${VM}/snapshot/one`);
    expect(await tree()).toEqual({ current: undefined });
  });

  it('branches after a rollback', async () => {
    await create();
    await take('one');
    await take('two');
    await rollBack('one');
    await take('three');
    expect(await tree()).toEqual({ one: undefined, two: 'one', three: 'one', current: 'three' });
  });
});

describe('a rollback', () => {
  it('gives back what was, and keeps the description', async () => {
    await create({ name: 'then', cores: 1, tags: 'then', description: 'old', protection: 0 });
    const before = await config();
    await take('one');
    await put({ name: 'now', cores: 4, tags: 'now', description: 'new', protection: 1 });
    await rollBack('one');
    const after = await config();
    const changed = ['digest', 'vmgenid', 'description', 'parent'];
    for (const key of Object.keys(before).filter(each => !changed.includes(each))) {
      expect([key, after[key]]).toEqual([key, before[key]]);
    }
    expect(after).toMatchObject({ description: 'new', parent: 'one' });
    expect(after['vmgenid']).not.toBe(before['vmgenid']);
    expect(after['digest']).not.toBe(before['digest']);
  });

  it('keeps disks that came later as unused ones, and takes sizes back', async () => {
    await create();
    await take('one');
    await put({ scsi1: 'local:1,format=qcow2' });
    const volume = cluster.world.volumes.find(({ volid }) => volid.endsWith('disk-0.qcow2'))!;
    volume.size = 2 * 1024 ** 3;
    await rollBack('one');
    expect(await config()).toMatchObject({ unused0: 'local:100/vm-100-disk-1.qcow2' });
    expect(await config()).not.toHaveProperty('scsi1');
    expect(volume.size).toBe(1024 ** 3);
  });

  it('stops a guest that runs, and starts it only when asked to', async () => {
    await create();
    await take('one');
    await cluster.run('POST', `${VM}/status/start`);
    await put({ cores: 2 });
    await rollBack('one');
    expect(await cluster.data('GET', `${VM}/status/current`)).toMatchObject({ status: 'stopped', cpus: 1 });
    expect(cluster.world.guests[100]!.pending).toEqual({});
    await rollBack('one', { start: 1 });
    expect(await cluster.data('GET', `${VM}/status/current`)).toMatchObject({ status: 'running' });
  });

  it('goes on where the memory was saved', async () => {
    await create();
    await cluster.run('POST', `${VM}/status/start`);
    await take('ram', { vmstate: 1 });
    await cluster.run('POST', `${VM}/status/stop`);
    expect((await rollBack('ram')).exitstatus).toBe('OK');
    expect(await cluster.data('GET', `${VM}/status/current`)).toMatchObject({ status: 'running' });
    expect(await config()).not.toHaveProperty('runningmachine');
  });

  it('with start needs the right to it', async () => {
    await create();
    await take('one');
    cluster.world.access.roles['Snapper'] = ['VM.Snapshot', 'VM.Audit'];
    cluster.world.access.acl.push({
      path: '/vms/100',
      type: 'user',
      ugid: 'nobody@pve',
      roleid: 'Snapper',
      propagate: true,
    });
    const token = 'nobody@pve!t1=66666666-6666-4666-8666-666666666666';
    expect(await cluster.refusal('POST', `${VM}/snapshot/one/rollback`, { start: 1 }, token)).toBe(
      '403 Permission check failed (/vms/100, VM.PowerMgmt)',
    );
  });
});

describe('a disk in a snapshot', () => {
  it('becomes unused when its last snapshot goes', async () => {
    await create({ scsi1: 'local:1,format=qcow2' });
    await take('one');
    await rollBack('one');
    cluster.world.guests[100]!.config = Object.fromEntries(
      Object.entries(cluster.world.guests[100]!.config).filter(([key]) => key !== 'scsi1'),
    );
    await cluster.run('DELETE', `${VM}/snapshot/one`);
    expect(await config()).toMatchObject({ unused0: 'local:100/vm-100-disk-1.qcow2' });
  });

  it('that a snapshot lost on the way is forgotten by it, the others stay', async () => {
    cluster.breaks(/uses local:100\/vm-100-disk-1\.qcow2, which is not on pve1/);
    await create({ scsi1: 'local:1,format=qcow2' });
    await take('one');
    cluster.world.volumes = cluster.world.volumes.filter(({ volid }) => !volid.includes('vm-100-disk-1'));
    await cluster.run('DELETE', `${VM}/snapshot/one`);
    const kept = (await cluster.data('GET', `${VM}/snapshot/one/config`)) as Record<string, string>;
    expect(kept).toMatchObject({
      snapstate: 'delete',
      unused0: 'local:100/vm-100-disk-0.qcow2',
      scsi1: 'local:100/vm-100-disk-1.qcow2,size=1G',
    });
    expect(kept).not.toHaveProperty('scsi0');
  });

  it('that is gone lets a rollback fail half-way: the lock stays', async () => {
    cluster.breaks(/uses local:100\/vm-100-disk-0\.qcow2, which is not on pve1/);
    await create();
    await take('one');
    await put({ delete: 'scsi0' });
    await cluster.run('DELETE', '/nodes/pve1/storage/local/content/local:100/vm-100-disk-0.qcow2');
    expect((await rollBack('one')).exitstatus).toBe(
      "command '/usr/bin/qemu-img snapshot -a one /var/lib/vz/images/100/vm-100-disk-0.qcow2' failed: exit code 1",
    );
    expect(await config()).toMatchObject({ lock: 'rollback', unused0: 'local:100/vm-100-disk-0.qcow2' });
    expect((await cluster.run('DELETE', VM)).exitstatus).toBe('VM is locked (rollback)');
  });

  it('that somebody deleted keeps the snapshot, unless it is forced away', async () => {
    cluster.breaks(/uses local:100\/vm-100-disk-0\.qcow2, which is not on pve1/);
    await create();
    await take('one');
    cluster.world.volumes = cluster.world.volumes.filter(({ volid }) => !volid.includes('vm-100-disk-0'));
    expect((await cluster.run('DELETE', `${VM}/snapshot/one`)).exitstatus).toBe(
      "command '/usr/bin/qemu-img snapshot -d one /var/lib/vz/images/100/vm-100-disk-0.qcow2' failed: exit code 1",
    );
    expect(await config()).toMatchObject({ lock: 'snapshot-delete' });
    delete cluster.world.guests[100]!.config['lock'];
    expect((await cluster.run('DELETE', `${VM}/snapshot/one`, { force: 1 })).exitstatus).toBe('OK');
    expect(await tree()).toEqual({ current: undefined });
  });
});
