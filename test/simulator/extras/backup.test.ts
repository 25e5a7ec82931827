import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

/** Backups and restores, by the sources of pve-manager (VZDump.pm) and qemu-server (API2/Qemu.pm); no recording shows them. */

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
  await cluster.run('POST', '/nodes/pve1/qemu', {
    ...{ vmid: 100, name: 'web', memory: 64, scsi0: 'local:2', scsi1: 'local:1,backup=0' },
    ...{ net0: 'virtio,bridge=vmbr0', ide2: 'local:cloudinit', description: 'two\nlines' },
  });
});
afterEach(() => cluster.close());

const VMS = '/nodes/pve1/qemu';
const backUp = (params: Record<string, string | number> = {}) =>
  cluster.run('POST', '/nodes/pve1/vzdump', { vmid: 100, storage: 'local', ...params });
const config = async (vmid: number) =>
  (await cluster.data('GET', `${VMS}/${vmid}/config`)) as Record<string, string>;

async function archives(): Promise<Record<string, unknown>[]> {
  const path = '/nodes/pve1/storage/local/content';
  return (await cluster.data('GET', path, { content: 'backup' })) as Record<string, unknown>[];
}

async function archive(): Promise<string> {
  await backUp();
  return String((await archives())[0]?.['volid']);
}

it('a backup stands on the storage, with its notes and the settings of its guest', async () => {
  expect((await backUp({ compress: 'zstd', 'notes-template': '{{guestname}} {{vmid}}' })).exitstatus).toBe(
    'OK',
  );
  const [row] = await archives();
  expect(row).toMatchObject({ vmid: 100, format: 'vma.zst', subtype: 'qemu', notes: 'web 100' });
  expect(row?.['volid']).toMatch(/^local:backup\/vzdump-qemu-100-\d{4}(_\d\d){2}-\d\d(_\d\d){2}\.vma\.zst$/);
  const text = await cluster.data('GET', '/nodes/pve1/vzdump/extractconfig', {
    volume: String(row?.['volid']),
  });
  expect(text).toContain('#two\n#lines\n');
  expect(text).toContain('#qmdump#map:scsi0:drive-scsi0:local:raw:\n');
  expect(text).not.toContain('map:scsi1');
  expect(await config(100)).not.toHaveProperty('lock');
});

it('a guest with a lock, one that is nowhere and a storage for other things fail in the task', async () => {
  cluster.breaks(/locked \(migrate\)/);
  cluster.world.storages.find(({ storage }) => storage === 'second')!.content = 'images';
  expect((await backUp({ storage: 'second' })).exitstatus).toBe(
    "could not get storage information for 'second': can't use storage 'second' for backups - wrong content type",
  );
  expect((await backUp({ vmid: 999 })).exitstatus).toBe('job errors');
  await cluster.data('PUT', `${VMS}/100/config`, { lock: 'migrate' });
  expect((await backUp()).exitstatus).toBe('job errors');
  expect(await archives()).toEqual([]);
});

it('nobody else changes a guest while it is backed up, and another job waits', async () => {
  const upid = await cluster.begin('POST', '/nodes/pve1/vzdump', { vmid: 100, storage: 'local' });
  await cluster.pass(1);
  expect(await cluster.refusal('PUT', `${VMS}/100/config`, { cores: 2 })).toBe('500 VM is locked (backup)');
  const second = await cluster.begin('POST', '/nodes/pve1/vzdump', { vmid: 100, storage: 'local' });
  expect((await cluster.ended(upid)).exitstatus).toBe('OK');
  const waited = await cluster.ended(second);
  expect([waited.exitstatus, waited.log[0]]).toEqual(['OK', 'INFO: trying to get global lock - waiting...']);
  expect(await cluster.refusal('PUT', `${VMS}/100/config`, { cores: 2 })).toBe('200 OK');
});

it('wishes that contradict each other are refused, and guests of other nodes are passed over', async () => {
  const refused = (params: Record<string, string | number>) =>
    cluster.refusal('POST', '/nodes/pve1/vzdump', params);
  expect(await refused({ storage: 'local' })).toMatch(/^400 .*vmid.*property is missing/);
  expect(await refused({ vmid: 100, all: 1 })).toMatch(/^400 .*option conflicts with option 'vmid'/);
  expect(await cluster.data('POST', '/nodes/pve2/vzdump', { vmid: 100 })).toBe('OK');
});

it('a restore makes another guest of it', async () => {
  const volume = await archive();
  const wish = { vmid: 101, archive: volume, unique: 1, name: 'copy' };
  expect((await cluster.run('POST', VMS, wish)).exitstatus).toBe('OK');
  const [was, is] = [await config(100), await config(101)];
  expect(is).toMatchObject({ name: 'copy', memory: '64', description: 'two\nlines' });
  expect(is['scsi0']).toBe('local:101/vm-101-disk-0.raw,size=2G');
  expect(is).not.toHaveProperty('scsi1');
  for (const key of ['net0', 'smbios1', 'vmgenid']) expect(is[key]).not.toBe(was[key]);
});

it('a restore over a guest asks for force, replaces the disks it brings and keeps the others', async () => {
  const volume = await archive();
  const restore = (params: Record<string, string | number> = {}) => ({
    vmid: 100,
    archive: volume,
    ...params,
  });
  expect(await cluster.refusal('POST', VMS, restore())).toBe(
    "500 unable to restore VM 100 - VM 100 already exists on node 'pve1'",
  );
  await cluster.run('PUT', `${VMS}/100/resize`, { disk: 'scsi0', size: '5G' });
  await cluster.run('POST', `${VMS}/100/status/start`);
  const busy = await cluster.run('POST', VMS, restore({ force: 1 }));
  expect(busy.exitstatus).toBe('unable to restore VM 100 - vm is running');
  expect(await config(100)).not.toHaveProperty('lock');
  await cluster.run('POST', `${VMS}/100/status/stop`);
  expect((await cluster.run('POST', VMS, restore({ force: 1 }))).exitstatus).toBe('OK');
  const is = await config(100);
  expect(is['scsi0']).toMatch(/^local:100\/vm-100-disk-\d\.raw,size=2G$/);
  expect(is['unused0']).toBe('local:100/vm-100-disk-1.raw');
});

it('what is no archive is refused before anything is done', async () => {
  const restore = (params: Record<string, string>) => cluster.refusal('POST', VMS, { vmid: 102, ...params });
  const volume = await archive();
  expect(await restore({ archive: '-' })).toBe('500 pipe requires cli environment');
  expect(await restore({ archive: volume, scsi0: 'local:1' })).toMatch(
    /^400 .*scsi0.*option conflicts with option 'archive'/,
  );
  expect(await restore({ archive: 'local:backup/vzdump-qemu-7-x.vma' })).toMatch(/^500 .*does not exist/);
  expect(await restore({ archive: '/root/x.vma' })).toBe("500 can't find file '/root/x.vma'");
});

it('a restored guest becomes an HA resource where that is wished, or is set as one', async () => {
  const wish = { vmid: 101, archive: await archive(), 'ha-managed': 1 };
  const last = async (params: Record<string, string | number>) =>
    (await cluster.run('POST', VMS, { ...wish, ...params })).log.slice(-2, -1);
  expect(await last({})).toEqual(["Add HA resource with request-state 'stopped'"]);
  expect(await last({ force: 1, start: 1 })).toEqual(["Set HA resource with request-state 'started'"]);
  expect(await cluster.data('GET', '/cluster/ha/resources/vm:101')).toMatchObject({ state: 'started' });
  await cluster.data('DELETE', '/cluster/ha/resources/vm:101');
});

it('pruning marks the newest of each period and removes the rest, but nothing protected or renamed', async () => {
  const names = ['2026_01_01-10_00_00', '2026_01_02-10_00_00', '2026_01_02-11_00_00', '2026_01_03-10_00_00'];
  const kept = { storage: 'local', node: 'pve1', content: 'backup', format: 'vma', size: 1, vmid: 100 };
  for (const name of [...names, 'mine']) {
    const volid = `local:backup/vzdump-qemu-100-${name}.vma`;
    cluster.world.volumes.push({ ...kept, volid, ctime: 1, protected: name === names[0] });
  }
  const path = '/nodes/pve1/storage/local/prunebackups';
  const asked = { 'prune-backups': 'keep-last=1,keep-daily=1' };
  const marks = (await cluster.data('GET', path, asked)) as { volid: string; mark: string }[];
  const byName = Object.fromEntries(
    marks.map(({ volid, mark }) => [/-100-(.*)\.vma/.exec(volid)?.[1], mark]),
  );
  const [first = '', second = '', third = '', last = ''] = names;
  expect(byName).toEqual({
    [first]: 'protected',
    [second]: 'remove',
    [third]: 'keep',
    [last]: 'keep',
    mine: 'renamed',
  });
  expect((await cluster.run('DELETE', path, asked)).exitstatus).toBe('OK');
  const left = await archives();
  expect(left.map(({ volid }) => volid)).not.toContain(`local:backup/vzdump-qemu-100-${second}.vma`);
  expect(left).toHaveLength(4);
});

it('a backup of a guest removes its old ones where it is told to keep so many', async () => {
  const old = 'local:backup/vzdump-qemu-100-2020_01_01-10_00_00.vma';
  cluster.world.volumes.push({
    ...{ volid: old, storage: 'local', node: 'pve1', content: 'backup', format: 'vma' },
    ...{ size: 1, vmid: 100, ctime: 1 },
  });
  expect((await backUp({ 'prune-backups': 'keep-last=2', remove: 0 })).exitstatus).toBe('OK');
  expect(await archives()).toHaveLength(2);
  expect((await backUp({ 'prune-backups': 'keep-last=2' })).exitstatus).toBe('OK');
  expect((await archives()).map(({ volid }) => volid)).not.toContain(old);
});

it('a backup of all guests has the containers in it', async () => {
  const { 100: web } = cluster.world.guests;
  cluster.world.guests[700] = {
    ...structuredClone(web!),
    ...{ vmid: 700, type: 'lxc', config: { hostname: 'dns', memory: '512' } },
  };
  const all = { all: 1, storage: 'local', 'notes-template': '{{guestname}}' };
  expect((await cluster.run('POST', '/nodes/pve1/vzdump', all)).exitstatus).toBe('OK');
  const row = (await archives()).find(({ vmid }) => vmid === 700);
  expect(row).toMatchObject({ subtype: 'lxc', format: 'tar', notes: 'dns' });
  expect(row?.['volid']).toMatch(/^local:backup\/vzdump-lxc-700-.*\.tar$/);
});

it('who is not root prunes with Datastore.Allocate and throttles with Sys.Modify', async () => {
  cluster.world.access.users['dev@pve'] = {
    enable: true,
    tokens: { t: { value: 'secret', privsep: false } },
  };
  const allow = (path: string, roleid: string) =>
    cluster.world.access.acl.push({ path, type: 'user', ugid: 'dev@pve', roleid, propagate: true });
  allow('/vms', 'PVEVMAdmin');
  allow('/storage', 'PVEDatastoreUser');
  const asked = (params: Record<string, string | number>) =>
    cluster.request(
      'POST',
      '/nodes/pve1/vzdump',
      { vmid: 100, storage: 'local', ...params },
      'dev@pve!t=secret',
    );
  const keep = { 'prune-backups': 'keep-last=1' };
  expect((await asked(keep)).reason).toBe('Permission check failed (/storage/local, Datastore.Allocate)');
  expect((await asked({ bwlimit: 10 })).reason).toBe('Permission check failed (/, Sys.Modify)');
  expect((await asked({ tmpdir: '/tmp/x' })).json.errors).toEqual({
    tmpdir: 'Only root may set this option.',
  });
  allow('/storage/local', 'PVEDatastoreAdmin');
  expect((await asked(keep)).status).toBe(200);
});
