import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';
import { twoNodeWorld } from '../../support/cluster/two-node-world';

const GiB = 1024 ** 3;
const STORAGES = [
  { storage: 'local', type: 'dir', path: '/var/lib/vz', content: 'images,iso,snippets,import' },
  { storage: 'thin', type: 'lvmthin', content: 'images' },
  { storage: 'thick', type: 'lvm', content: 'images', total: 4 * GiB },
  { storage: 'tank', type: 'zfspool', content: 'images' },
  { storage: 'nfs', type: 'nfs', content: 'images' },
  { storage: 'isos', type: 'dir', path: '/isos', content: 'iso' },
  { storage: 'other', type: 'dir', path: '/other', content: 'images', nodes: ['pve2'] },
  { storage: 'off', type: 'dir', path: '/off', content: 'images', enabled: false },
];
const VOLUMES = [
  { node: 'pve1', volid: 'local:import/cloud.qcow2', size: 2 * GiB, filesize: 600_000_000 },
  { node: 'pve1', volid: 'local:iso/live.iso', size: 368_640 },
];

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster({ world: twoNodeWorld({ storages: STORAGES, volumes: VOLUMES }) });
});
afterEach(() => cluster.close());

const create = (vmid: number, params: Record<string, string>) =>
  cluster.run('POST', '/nodes/pve1/qemu', { vmid: String(vmid), ...params });
const configOf = async (vmid: number): Promise<Record<string, string>> =>
  (await cluster.request('GET', `/nodes/pve1/qemu/${vmid}/config`)).data;
const volids = (): string[] => cluster.world.volumes.map(({ volid }) => volid).sort();

describe('allocating disks', () => {
  it.each([
    ['local:1', 'local:100/vm-100-disk-0.raw,size=1G'],
    ['local:1,format=qcow2', 'local:100/vm-100-disk-0.qcow2,size=1G'],
    ['thin:1', 'thin:vm-100-disk-0,size=1G'],
    ['tank:0.5', 'tank:vm-100-disk-0,size=512M'],
    ['nfs:2,format=vmdk', 'nfs:100/vm-100-disk-0.vmdk,size=2G'],
    ['thin:0.001', 'thin:vm-100-disk-0,size=1049K'],
    ['local:0,import-from=local:import/cloud.qcow2', 'local:100/vm-100-disk-0.qcow2,size=2G'],
    ['thin:0,import-from=local:import/cloud.qcow2', 'thin:vm-100-disk-0,size=2G'],
    ['local:1,ssd=yes,iothread=on', 'local:100/vm-100-disk-0.raw,iothread=1,size=1G,ssd=1'],
    ['local:1,size=99G', 'local:100/vm-100-disk-0.raw,size=1G'],
  ])('turns %s into %s', async (asked, line) => {
    expect((await create(100, { scsi0: asked })).exitstatus).toBe('OK');
    expect((await configOf(100))['scsi0']).toBe(line);
  });

  it('counts the formats of a directory together, those of NFS apart', async () => {
    await create(100, {
      scsi0: 'local:1',
      scsi1: 'local:1,format=qcow2',
      scsi2: 'nfs:1',
      scsi3: 'nfs:1,format=qcow2',
    });
    expect(await configOf(100)).toMatchObject({
      scsi0: 'local:100/vm-100-disk-0.raw,size=1G',
      scsi1: 'local:100/vm-100-disk-1.qcow2,size=1G',
      scsi2: 'nfs:100/vm-100-disk-0.raw,size=1G',
      scsi3: 'nfs:100/vm-100-disk-0.qcow2,size=1G',
    });
  });

  it('gives firmware disks their own sizes', async () => {
    await create(100, {
      efidisk0: 'local:9,efitype=4m,pre-enrolled-keys=1',
      tpmstate0: 'local:9,version=v2.0',
    });
    expect(await configOf(100)).toMatchObject({
      efidisk0: 'local:100/vm-100-disk-0.raw,efitype=4m,pre-enrolled-keys=1,size=528K',
      tpmstate0: 'local:100/vm-100-disk-1.raw,size=4M,version=v2.0',
    });
  });

  it.each([
    ['local:cloudinit', 'local:100/vm-100-cloudinit.qcow2,media=cdrom'],
    ['thin:cloudinit', 'thin:vm-100-cloudinit,media=cdrom'],
  ])('makes a cloud-init drive of %s', async (asked, line) => {
    await create(100, { ide2: asked });
    expect((await configOf(100))['ide2']).toBe(line);
  });

  it.each([
    ['nosuch:1', "storage 'nosuch' does not exist"],
    ['local:1G', "unable to parse directory volume name '1G'"],
    ['thin:1G', "unable to parse lvm volume name '1G'"],
    ['tank:1G', "unable to parse zfs volume name '1G'"],
    ['local:100/disk.iso', "unable to parse volume filename 'disk.iso'"],
  ])('refuses %s at once', async (asked, reason) => {
    const answer = await cluster.request('POST', '/nodes/pve1/qemu', { vmid: '100', scsi0: asked });
    expect([answer.status, answer.reason]).toEqual([500, reason]);
  });

  it.each([
    ['isos:1', { storage: "storage 'isos' does not support vm images" }],
    ['local:iso/live.iso', { scsi0: "explicit 'media=cdrom' is required for iso images" }],
    ['/etc/passwd', { scsi0: "unable to associate path '/etc/passwd' to any storage" }],
    ['local:import/cloud.qcow2', { scsi0: "content type needs to be 'images' or 'iso'" }],
    ['local:1,mbps=1,mbps_rd=2', { scsi0: 'unable to parse drive options' }],
  ])('refuses %s as a parameter', async (asked, errors) => {
    const answer = await cluster.request('POST', '/nodes/pve1/qemu', { vmid: '100', scsi0: asked });
    expect([answer.status, answer.errors]).toEqual([400, errors]);
  });

  it.each([
    [
      'thin:1,format=qcow2',
      /^unable to create VM 100 - unsupported format 'qcow2' at .*LvmThinPlugin\.pm line \d+\.$/,
    ],
    ['other:1', /^unable to create VM 100 - storage 'other' is not available on node 'pve1'$/],
    ['off:1', /^unable to create VM 100 - storage 'off' is disabled$/],
    [
      'local:100/vm-100-disk-7.raw',
      /^unable to create VM 100 - volume 'local:100\/vm-100-disk-7\.raw' does not exist$/,
    ],
    [
      'thick:5',
      /^unable to create VM 100 - lvcreate .*has insufficient free space \(1024 extents\): 1280 required\.$/,
    ],
    [
      'local:0,import-from=local:import/no.qcow2',
      /^unable to create VM 100 - failed to stat '\/var\/lib\/vz\/import\/no\.qcow2'$/,
    ],
  ])('fails the task for %s and leaves nothing', async (asked, exitstatus) => {
    const before = volids();
    // the first disk is made and must go again
    const task = await create(100, { ide0: 'local:1', scsi0: asked });
    expect(task.exitstatus).toMatch(exitstatus);
    expect(volids()).toEqual(before);
  });
});

describe('a disk that leaves its slot', () => {
  it('becomes unused when its slot is filled again, and is used again when attached', async () => {
    await create(100, { scsi0: 'local:1' });
    await cluster.request('PUT', '/nodes/pve1/qemu/100/config', { scsi0: 'local:2' });
    expect(await configOf(100)).toMatchObject({
      scsi0: 'local:100/vm-100-disk-1.raw,size=2G',
      unused0: 'local:100/vm-100-disk-0.raw',
    });
    await cluster.request('PUT', '/nodes/pve1/qemu/100/config', {
      scsi1: 'local:100/vm-100-disk-0.raw,discard=on',
    });
    const config = await configOf(100);
    expect(config['scsi1']).toBe('local:100/vm-100-disk-0.raw,discard=on,size=1G');
    expect(config['unused0']).toBeUndefined();
  });

  it('is destroyed by unlink with force, kept without', async () => {
    await create(100, { scsi0: 'local:1', scsi1: 'local:1' });
    const unlink = (idlist: string, more: Record<string, string>) =>
      cluster.request('PUT', '/nodes/pve1/qemu/100/unlink', { idlist, ...more });
    expect((await unlink('scsi0', {})).json).toEqual({ data: null });
    expect(volids()).toContain('local:100/vm-100-disk-0.raw');
    await unlink('scsi1', { force: '1' });
    expect(volids()).not.toContain('local:100/vm-100-disk-1.raw');
    await unlink('unused0', {});
    expect(volids()).not.toContain('local:100/vm-100-disk-0.raw');
    expect(await configOf(100)).not.toHaveProperty('unused0');
  });

  it('stays with its owner when another guest had it attached', async () => {
    await create(100, { scsi0: 'local:1' });
    await create(101, { scsi0: 'local:100/vm-100-disk-0.raw' });
    await cluster.request('PUT', '/nodes/pve1/qemu/101/config', { delete: 'scsi0', force: '1' });
    expect(await configOf(101)).not.toHaveProperty('unused0');
    expect(volids()).toContain('local:100/vm-100-disk-0.raw');
  });
});

describe('resize', () => {
  const resize = (params: Record<string, string>) =>
    cluster.run('PUT', '/nodes/pve1/qemu/100/resize', { disk: 'scsi0', ...params });

  it.each([
    ['+1G', '2G'],
    ['1.5G', '1536M'],
    ['1048577K', '1048577K'],
    ['1T', '1T'],
    ['3072G', '3T'],
    ['1073741825', '1073741825'],
  ])('%s makes 1G into %s', async (size, shown) => {
    await create(100, { scsi0: 'local:1' });
    expect(await resize({ size })).toMatchObject({ exitstatus: 'OK', type: 'resize', id: '100' });
    expect((await configOf(100))['scsi0']).toBe(`local:100/vm-100-disk-0.raw,size=${shown}`);
  });

  it.each<[Record<string, string>, string]>([
    [{ size: '512M' }, 'shrinking disks is not supported'],
    [{ size: '2G', disk: 'scsi5' }, "disk 'scsi5' does not exist"],
    [{ size: '2G', disk: 'ide2' }, "you can't resize a cdrom"],
    [{ size: '2G', disk: 'ide3' }, "unable to parse volume ID 'none'"],
    [{ size: '2G', disk: 'virtio0' }, "can't resize this image format"],
    [{ size: '2G', digest: 'abc' }, 'checksum mismatch (file change by other user?)'],
  ])('fails its task for %j', async (params, exitstatus) => {
    await create(100, {
      scsi0: 'local:1',
      ide2: 'local:iso/live.iso,media=cdrom',
      ide3: 'none,media=cdrom',
      virtio0: 'local:1,format=vmdk',
    });
    expect((await resize(params)).exitstatus).toBe(exitstatus);
  });

  it.each([
    ['raw', 'off'],
    ['qcow2', 'metadata'],
  ])("fails for a template's disk in a directory: %s", async (format, ahead) => {
    await create(100, { scsi0: `local:1,format=${format}` });
    await cluster.run('POST', '/nodes/pve1/qemu/100/template');
    const path = `/var/lib/vz/images/100/base-100-disk-0.${format}`;
    // recording i4, step 10
    expect(await resize({ size: '2G' })).toMatchObject({
      exitstatus: `command '/usr/bin/qemu-img resize '--preallocation=${ahead}' -f ${format} ${path} 2147483648' failed: exit code 1`,
      log: [
        `qemu-img: Could not open '${path}': Could not open '${path}': Operation not permitted`,
        expect.stringMatching(/^TASK ERROR: command /),
      ],
    });
    expect((await configOf(100))['scsi0']).toContain(',size=1G');
  });

  it('does nothing to a disk of that size', async () => {
    await create(100, { scsi0: 'local:1' });
    const { digest } = await configOf(100);
    expect((await resize({ size: '1G' })).log).toEqual(['TASK OK']);
    expect((await configOf(100))['digest']).toBe(digest);
  });

  it('has grown the disk when there is no quorum to write it down', async () => {
    await create(100, { scsi0: 'local:1' });
    if (cluster.world.cluster) cluster.world.cluster.quorate = false;
    expect((await resize({ size: '3G' })).exitstatus).toMatch(/100\.conf\.tmp\.\d+' - Permission denied$/);
    expect(cluster.world.volumes.find(({ vmid }) => vmid === 100)?.size).toBe(3 * GiB);
    expect((await configOf(100))['scsi0']).toBe('local:100/vm-100-disk-0.raw,size=1G');
  });
});

describe('move_disk', () => {
  const path = '/nodes/pve1/qemu/100/move_disk';

  it('copies to another storage, which may not have the format, and keeps the source', async () => {
    await create(100, { scsi0: 'local:1,format=qcow2,discard=on' });
    const { exitstatus, log } = await cluster.run('POST', path, { disk: 'scsi0', storage: 'thin' });
    expect(exitstatus).toBe('OK');
    expect(log).toEqual([
      "copying volume 'local:100/vm-100-disk-0.qcow2' from current storage 'local' to target storage 'thin'",
      'create full clone of drive scsi0 (local:100/vm-100-disk-0.qcow2)',
      "allocated target volume 'thin:vm-100-disk-0'",
      "adding source volume 'local:100/vm-100-disk-0.qcow2' as 'unused0' to config",
      'TASK OK',
    ]);
    expect(await configOf(100)).toMatchObject({
      scsi0: 'thin:vm-100-disk-0,discard=on,size=1G',
      unused0: 'local:100/vm-100-disk-0.qcow2',
    });
  });

  it('mirrors the disk of a running guest', async () => {
    await create(100, { scsi0: 'local:1' });
    await cluster.run('POST', '/nodes/pve1/qemu/100/status/start');
    const params = { disk: 'scsi0', storage: 'nfs', delete: '1' };
    const { exitstatus, log } = await cluster.run('POST', path, params);
    expect(exitstatus).toBe('OK');
    expect(log).toContain('drive mirror is starting for drive-scsi0');
    expect(volids()).not.toContain('local:100/vm-100-disk-0.raw');
  });

  it.each<[Record<string, string>, string]>([
    [{ disk: 'scsi0', storage: 'local' }, "you can't move to the same storage with same format"],
    [{ disk: 'scsi7', storage: 'thin' }, "disk 'scsi7' does not exist"],
    [{ disk: 'ide2', storage: 'thin' }, "you can't move a cdrom"],
    [{ disk: 'scsi0', storage: 'off' }, "storage 'off' is disabled"],
    [{ disk: 'scsi0', storage: 'other' }, "storage 'other' is not available on node 'pve1'"],
    [
      { disk: 'scsi0', storage: 'thin', digest: 'abc' },
      'detected modified configuration - file changed by other user? Try again.',
    ],
    [{ disk: 'scsi0', 'target-vmid': '999' }, 'could not find target VM 999'],
    [{ disk: 'scsi9', 'target-vmid': '101' }, "Disk 'scsi9' for VM '100' does not exist"],
    [{ disk: 'ide2', 'target-vmid': '101' }, "CD drive contents can't be moved to another VM"],
    [{ disk: 'scsi0', 'target-vmid': '101' }, "Target disk key 'scsi0' is already in use for VM '101'"],
  ])('refuses %j', async (params, reason) => {
    await create(100, { scsi0: 'local:1', ide2: 'local:iso/live.iso,media=cdrom' });
    await create(101, { scsi0: 'local:1' });
    const answer = await cluster.request('POST', path, params);
    expect([answer.status, answer.reason]).toEqual([500, reason]);
  });

  it('gives a disk to another guest under its new name', async () => {
    await create(100, { scsi0: 'thin:1', scsi1: 'thin:1', boot: 'order=scsi0;scsi1' });
    await create(101, { scsi0: 'thin:1' });
    const params = { disk: 'scsi1', 'target-vmid': '101', 'target-disk': 'virtio2' };
    const { exitstatus, id, log } = await cluster.run('POST', path, params);
    expect([exitstatus, id]).toEqual(['OK', '100-scsi1>101-virtio2']);
    expect(log).toContain("removing disk 'scsi1' from boot order config");
    expect(await configOf(100)).toMatchObject({ boot: 'order=scsi0' });
    expect(await configOf(101)).toMatchObject({ virtio2: 'thin:vm-101-disk-1,size=1G' });
    expect(volids()).toEqual(expect.arrayContaining(['thin:vm-101-disk-1']));
  });

  it('leaves everything as it was when somebody stops it', async () => {
    await cluster.close();
    const disk = { node: 'pve1', volid: 'local:100/vm-100-disk-0.raw', size: GiB };
    const guest = { vmid: 100, node: 'pve1', config: { scsi0: `${disk.volid},size=1G` } };
    cluster = await openCluster({
      world: twoNodeWorld({ storages: STORAGES, volumes: [disk], guests: [guest] }),
      taskMs: 3_600_000,
    });
    const before = await configOf(100);
    const { json: body } = await cluster.request('POST', path, { disk: 'scsi0', storage: 'thin' });
    await cluster.request('DELETE', `/nodes/pve1/tasks/${encodeURIComponent(body.data)}`);
    await cluster.simulator.sim.tasks.ended(body.data);
    expect(cluster.simulator.sim.tasks.find(body.data)?.exitstatus).toBe(
      'storage migration failed: interrupted by signal',
    );
    expect([volids(), await configOf(100)]).toEqual([[disk.volid], before]);
  });

  it('leaves everything as it was when the target is full', async () => {
    await create(100, { scsi0: 'local:1' });
    await create(101, { scsi0: 'thick:4' });
    const before = [volids(), await configOf(100)];
    const { exitstatus } = await cluster.run('POST', path, { disk: 'scsi0', storage: 'thick' });
    expect(exitstatus).toMatch(/^storage migration failed: lvcreate /);
    expect([volids(), await configOf(100)]).toEqual(before);
  });
});

describe('who may', () => {
  it('asks for the storage, and for the owner of a foreign volume', async () => {
    await cluster.close();
    const secret = '22222222-2222-4222-8222-222222222222';
    cluster = await openCluster({
      world: twoNodeWorld({
        storages: STORAGES,
        volumes: VOLUMES,
        users: {
          'root@pam': { enable: 1 },
          'dev@pve': { enable: 1, password: 'secret-1' },
        },
        tokens: { 'dev@pve!t': { privsep: 0, value: secret } },
        acl: [{ path: '/vms', ugid: 'dev@pve', roleid: 'PVEVMAdmin', propagate: 1 }],
      }),
    });
    const ask = (scsi0: string) =>
      cluster.request('POST', '/nodes/pve1/qemu', { vmid: '100', scsi0 }, `dev@pve!t=${secret}`);
    const refusals = await Promise.all(
      ['local:1', 'local:101/vm-101-disk-0.raw', '/dev/sdb', 'local:iso/live.iso,media=cdrom'].map(ask),
    );
    expect(refusals.map(({ status, reason }) => `${status} ${reason.replace(/\d+\.$/, 'N')}`)).toEqual([
      '403 Permission check failed (/storage/local, Datastore.AllocateSpace)',
      '403 Permission check failed (/storage/local, Datastore.Audit)',
      '500 Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line N',
      '403 Permission check failed (/storage/local, Datastore.AllocateSpace|Datastore.Audit)',
    ]);
  });
});
