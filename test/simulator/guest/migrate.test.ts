import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

const HERE = '/nodes/pve1/qemu';
const THERE = '/nodes/pve2/qemu';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

const create = (params: Record<string, string | number> = {}) =>
  cluster.run('POST', HERE, { vmid: 100, memory: 64, ...params });
const migrate = (params: Record<string, string | number> = {}) =>
  cluster.run('POST', `${HERE}/100/migrate`, { target: 'pve2', ...params });
const volids = (node: string | null) =>
  cluster.world.volumes
    .filter(volume => volume.vmid === 100 && volume.node === node)
    .map(({ volid }) => volid)
    .sort();

describe('an offline migration', () => {
  it('locks the guest, and moves its configuration at the very end', async () => {
    await create({ scsi0: 'local:1' });
    const upid = await cluster.begin('POST', `${HERE}/100/migrate`, { target: 'pve2' });
    expect(await cluster.data('GET', `${HERE}/100/config`)).toMatchObject({ lock: 'migrate' });
    expect((await cluster.ended(upid)).exitstatus).toBe('OK');
    expect(await cluster.data('GET', `${THERE}/100/config`)).not.toHaveProperty('lock');
    expect(volids('pve1')).toEqual([]);
    expect(volids('pve2')).toEqual(['local:100/vm-100-disk-0.raw']);
  });

  it('keeps the digest when no volume is renamed', async () => {
    await create({ scsi0: 'local:1' });
    const { digest } = (await cluster.data('GET', `${HERE}/100/config`)) as { digest: string };
    await migrate();
    expect(await cluster.data('GET', `${THERE}/100/config`)).toMatchObject({ digest });
  });

  it('takes snapshots and unused disks along', async () => {
    await create({ scsi0: 'local:1,format=qcow2', scsi1: 'local:1,format=qcow2' });
    await cluster.run('POST', `${HERE}/100/snapshot`, { snapname: 'one' });
    await cluster.data('PUT', `${HERE}/100/config`, { delete: 'scsi1' });
    expect((await migrate({ targetstorage: 'local:second' })).exitstatus).toBe('OK');
    expect(volids('pve2')).toEqual(['second:100/vm-100-disk-0.qcow2', 'second:100/vm-100-disk-1.qcow2']);
    expect(await cluster.data('GET', `${THERE}/100/config`, { snapshot: 'one' })).toMatchObject({
      scsi1: 'second:100/vm-100-disk-1.qcow2,size=1G',
    });
    await cluster.run('POST', `${THERE}/100/snapshot/one/rollback`);
    expect(await cluster.data('GET', `${THERE}/100/config`)).toMatchObject({
      scsi0: 'second:100/vm-100-disk-0.qcow2,size=1G',
    });
  });

  it('finds another name for a disk whose name is taken', async () => {
    await create({ scsi0: 'local:1' });
    const disk = cluster.world.volumes.find(({ volid }) => volid === 'local:100/vm-100-disk-0.raw')!;
    cluster.world.volumes.push({ ...disk, node: 'pve2' });
    await migrate();
    expect(await cluster.data('GET', `${THERE}/100/config`)).toMatchObject({
      scsi0: 'local:100/vm-100-disk-1.raw,size=1G',
    });
  });

  it.each([
    ['a local CD-ROM', { ide2: 'local:iso/tiny.iso,media=cdrom' }, 'local cdrom image', 'local:iso/tiny.iso'],
    [
      "somebody else's disk",
      { scsi0: 'local:200/vm-200-disk-0.raw' },
      'owned by other VM (owner = VM 200)',
      'local:200/vm-200-disk-0.raw',
    ],
  ])('stops at %s and leaves the guest where it is', async (_, drives, why, volid) => {
    await cluster.run('POST', HERE, { vmid: 200, memory: 64, scsi0: 'local:1' });
    await create(drives);
    const { exitstatus, log } = await migrate();
    expect(exitstatus).toBe('migration aborted');
    expect(log.join('\n')).toContain(` can't migrate local disk '${volid}': ${why}`);
    expect(log.join('\n')).toContain(
      " ERROR: Problem found while scanning volumes - can't migrate VM - check log",
    );
    expect(await cluster.data('GET', `${HERE}/100/config`)).not.toHaveProperty('lock');
  });

  it('cannot turn one format into another on the way', async () => {
    cluster.world.storages.push({
      storage: 'thin',
      type: 'lvmthin',
      content: 'images',
      shared: false,
      enabled: true,
      total: 1024 ** 4,
    });
    await create({ scsi0: 'local:1,format=qcow2' });
    const { exitstatus, log } = await migrate({ targetstorage: 'thin' });
    expect(exitstatus).toBe('migration aborted');
    expect(log.join('\n')).toContain(
      "ERROR: storage migration for 'local:100/vm-100-disk-0.qcow2' to storage 'thin' failed - cannot migrate from storage type 'dir' to 'lvmthin'",
    );
    await cluster.data('PUT', '/nodes/pve1/qemu/100/config', { delete: 'scsi0' });
    await cluster.data('PUT', '/nodes/pve1/qemu/100/config', { delete: 'unused0', scsi0: 'local:1' });
    expect((await migrate({ targetstorage: 'thin' })).exitstatus).toBe('OK');
    expect(await cluster.data('GET', '/nodes/pve2/qemu/100/config')).toMatchObject({
      scsi0: 'thin:vm-100-disk-0,size=1G',
    });
  });

  it('needs a node that answers', async () => {
    await create();
    cluster.world.nodes.find(({ name }) => name === 'pve2')!.online = false;
    const { exitstatus, log } = await migrate();
    expect(exitstatus).toBe('migration aborted');
    expect(log.join('\n')).toContain("Can't connect to destination address using public key");
  });

  it('that is stopped leaves the guest where it is', async () => {
    await create({ scsi0: 'local:1' });
    const upid = await cluster.begin('POST', `${HERE}/100/migrate`, { target: 'pve2', bwlimit: 1024 });
    await cluster.pass(1000);
    await cluster.data('DELETE', `/nodes/pve1/tasks/${encodeURIComponent(upid)}`);
    expect((await cluster.ended(upid)).exitstatus).toBe('migration aborted');
    expect(volids('pve1')).toEqual(['local:100/vm-100-disk-0.raw']);
    expect(await cluster.data('GET', `${HERE}/100/config`)).not.toHaveProperty('lock');
  });
});

describe('a live migration', () => {
  it('must be asked for', async () => {
    await create();
    await cluster.run('POST', `${HERE}/100/status/start`);
    expect(await cluster.refusal('POST', `${HERE}/100/migrate`, { target: 'pve2' })).toBe(
      "500 can't migrate running VM without --online",
    );
  });

  it('keeps the guest running', async () => {
    await create({ scsi0: 'shared:1' });
    await cluster.run('POST', `${HERE}/100/status/start`);
    expect((await migrate({ online: 1 })).exitstatus).toBe('OK');
    expect(await cluster.data('GET', `${THERE}/100/status/current`)).toMatchObject({ status: 'running' });
  });

  it('takes local disks only with a word for it, and names their format then', async () => {
    await create({ scsi0: 'local:1' });
    await cluster.run('POST', `${HERE}/100/status/start`);
    const refused = await migrate({ online: 1 });
    expect(refused.exitstatus).toBe('migration aborted');
    expect(refused.log.join('\n')).toContain(
      "can't live migrate attached local disks without with-local-disks option",
    );
    expect((await migrate({ online: 1, 'with-local-disks': 1 })).exitstatus).toBe('OK');
    expect(await cluster.data('GET', `${THERE}/100/config`)).toMatchObject({
      scsi0: 'local:100/vm-100-disk-0.raw,format=raw,size=1G',
    });
  });

  it('to a node without the bridge leaves the guest running where it is', async () => {
    await create({ net0: 'virtio,bridge=vmbr1' });
    await cluster.run('POST', `${HERE}/100/status/start`);
    cluster.world.nodes.find(({ name }) => name === 'pve2')!.bridges = ['vmbr0'];
    const { exitstatus, log } = await migrate({ online: 1 });
    expect(exitstatus).toBe('migration problems');
    expect(log.join('\n')).toContain("bridge 'vmbr1' does not exist");
    expect(await cluster.data('GET', `${HERE}/100/status/current`)).toMatchObject({ status: 'running' });
  });
});

describe('the preflight', () => {
  it('tells which nodes lack a storage, and what would be copied', async () => {
    await create({ scsi0: 'second:1', ide2: 'local:iso/tiny.iso,media=cdrom' });
    cluster.world.storages.find(({ storage }) => storage === 'second')!.nodes = ['pve1'];
    const answer = (await cluster.data('GET', `${HERE}/100/migrate`)) as Record<string, unknown>;
    expect(answer).toMatchObject({
      running: 0,
      allowed_nodes: [],
      not_allowed_nodes: { pve2: { unavailable_storages: ['second'] } },
    });
    const disks = answer['local_disks'] as { volid: string; cdrom: number }[];
    expect(disks.map(({ volid, cdrom }) => [volid, cdrom]).sort()).toEqual([
      ['local:iso/tiny.iso', 1],
      ['second:100/vm-100-disk-0.raw', 0],
    ]);
    expect(await cluster.refusal('POST', `${HERE}/100/migrate`, { target: 'pve2' })).toBe(
      "500 storage 'second' is not available on node 'pve2'",
    );
  });

  it('is refused while the guest is locked', async () => {
    await create();
    cluster.world.guests[100]!.config['lock'] = 'backup';
    expect(await cluster.refusal('GET', `${HERE}/100/migrate`)).toBe('500 VM is locked (backup)');
  });
});

describe('devices of the node', () => {
  const device = { hostpci0: '01:00.0' };
  const texts = ({ log }: { log: string[] }) =>
    log.map(line => line.replace(/^\d+-\d+-\d+ \S+ /, '').replace(/\d\d:\d\d:\d\d/, 'TIME'));

  it('hold a guest back, unless root forces it', async () => {
    await create({ ...device, usb0: 'spice', serial0: 'socket' });
    expect(await cluster.data('GET', `${HERE}/100/migrate`)).toMatchObject({ local_resources: ['hostpci0'] });
    expect(texts(await migrate())).toEqual([
      "ERROR: migration aborted (duration TIME): can't migrate VM which uses local devices: hostpci0",
      'TASK ERROR: migration aborted',
    ]);
    expect(await cluster.data('GET', `${HERE}/100/config`)).not.toHaveProperty('lock');
    const forced = await migrate({ force: 1 });
    expect(forced.exitstatus).toBe('OK');
    expect(texts(forced)[0]).toBe('migrating VM which uses local devices');
  });

  it('that a mapping names are missing on the other node, force or not', async () => {
    await create({ hostpci0: 'mapping=card', usb1: 'mapping=stick' });
    expect(await cluster.data('GET', `${HERE}/100/migrate`)).toMatchObject({
      allowed_nodes: [],
      not_allowed_nodes: { pve2: { 'unavailable-resources': ['hostpci0', 'usb1'] } },
      local_resources: ['usb1'],
      'mapped-resources': ['hostpci0', 'usb1'],
      'mapped-resource-info': { hostpci0: { name: 'card' }, usb1: { name: 'stick' } },
    });
    expect(texts(await migrate({ force: 1 }))[0]).toBe(
      "ERROR: migration aborted (duration TIME): can't migrate to 'pve2': missing mapped devices hostpci0, usb1",
    );
  });

  it('a migration that takes tracked connections along does not warn of them', async () => {
    await create();
    await cluster.run('POST', `${HERE}/100/status/start`);
    const moved = await migrate({ online: 1, 'with-conntrack-state': 1 });
    expect(texts(moved)[0]).toMatch(/^starting migration of VM 100/);
  });

  it('memory that is encrypted is not saved', async () => {
    await create({ 'amd-sev': 'type=std' });
    expect(await cluster.refusal('POST', `${HERE}/100/snapshot`, { snapname: 'ram', vmstate: 1 })).toBe(
      '500 Cannot live-migrate, snapshot (with RAM), or hibernate a VM with: amd-sev',
    );
    expect((await cluster.run('POST', `${HERE}/100/snapshot`, { snapname: 'disks' })).exitstatus).toBe('OK');
  });
});
