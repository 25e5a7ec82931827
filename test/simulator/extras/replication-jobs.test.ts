import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';
import { defaultWorld } from '../../../simulator';

/** Nobody recorded replication jobs: what these say is assumed. */

const JOBS = '/cluster/replication';
const VM = '/nodes/pve1/qemu/300';

let cluster: OpenCluster;
beforeEach(async () => {
  const world = defaultWorld(3);
  const zfs = { type: 'zfspool', content: 'images', shared: false, enabled: true, total: 2 ** 40 };
  world.storages.push({ storage: 'tank', ...zfs, options: { pool: 'tank' } });
  cluster = await openCluster({ world });
  await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 300, memory: 64, scsi0: 'tank:1' });
});
afterEach(() => cluster.close());

const add = { id: '300-0', type: 'local', target: 'pve2' };

it('is made, listed, changed and deleted', async () => {
  await cluster.data('POST', JOBS, { ...add, schedule: '*/30' });
  const job = {
    ...{ id: '300-0', type: 'local', guest: 300, jobnum: 0 },
    ...{ source: 'pve1', target: 'pve2', schedule: '*/30' },
  };
  expect(await cluster.data('GET', JOBS)).toEqual([job]);
  expect(await cluster.data('GET', '/nodes/pve1/replication?guest=300')).toMatchObject([job]);
  expect(await cluster.data('GET', '/nodes/pve2/replication')).toEqual([]);
  await cluster.data('PUT', `${JOBS}/300-0`, { disable: 1, rate: 10, delete: 'schedule' });
  expect(await cluster.data('GET', `${JOBS}/300-0`)).toMatchObject({ disable: 1, rate: '10', guest: 300 });
  await cluster.data('DELETE', `${JOBS}/300-0`);
  expect(await cluster.refusal('GET', `${JOBS}/300-0`)).toBe("500 no such replication job '300-0'");
});

it('is refused as Proxmox refuses it', async () => {
  const post = (more: Record<string, string>) => cluster.refusal('POST', JOBS, { ...add, ...more });
  await cluster.data('POST', JOBS, add);
  expect(await post({})).toBe("500 replication job '300-0' already exists");
  expect(await post({ id: '300-1' })).toBe(
    "500 replication job for guest '300' to target 'local/pve2' already exists",
  );
  expect(await post({ id: '999-0' })).toBe("500 Guest '999' does not exist.");
  expect(await post({ target: 'pve1' })).toBe('500 Source and target must not be identical');
  expect(await post({ target: 'nope' })).toBe("500 Target 'nope' does not exist.");
  await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 301, memory: 64, scsi0: 'local-lvm:1' });
  expect(await post({ id: '301-0' })).toMatch(/^500 missing replicate feature on volume 'local-lvm:/);
  expect(await cluster.refusal('DELETE', `${JOBS}/300-7`)).toBe("500 no such job '300-7'");
});

it('is shown to who sees its guest, and changed with VM.Replicate', async () => {
  await cluster.data('POST', JOBS, add);
  await cluster.data('POST', '/access/users', { userid: 'ops@pve' });
  const made = await cluster.data('POST', '/access/users/ops@pve/token/tok', { privsep: 0 });
  const token = `ops@pve!tok=${(made as { value: string }).value}`;
  expect(await cluster.data('GET', JOBS, {}, token)).toEqual([]);
  expect(await cluster.refusal('GET', `${JOBS}/300-0`, {}, token)).toBe('403 Permission check failed');
  await cluster.data('PUT', '/access/acl', { path: '/vms/300', users: 'ops@pve', roles: 'PVEAuditor' });
  expect(await cluster.data('GET', JOBS, {}, token)).toHaveLength(1);
  const denied = '403 Permission check failed (/vms/300, VM.Replicate)';
  expect(await cluster.refusal('DELETE', `${JOBS}/300-0`, {}, token)).toBe(denied);
  cluster.world.version = { release: '8.4', version: '8.4.21' };
  expect(await cluster.refusal('DELETE', `${JOBS}/300-0`, {}, token)).toContain(
    '(/storage, Datastore.Allocate)',
  );
});

it('keeps its guest from going, unless that is purged', async () => {
  await cluster.data('POST', JOBS, add);
  expect(await cluster.refusal('DELETE', VM)).toBe(
    "500 There is a replication job '300-0' for guest '300' - Please remove that first.",
  );
  expect(await cluster.run('DELETE', VM, { purge: 1 })).toMatchObject({ exitstatus: 'OK' });
  expect(await cluster.data('GET', JOBS)).toEqual([]);
});

it('keeps its guest, while it runs, from nodes that it is not replicated to', async () => {
  await cluster.data('POST', JOBS, add);
  await cluster.run('POST', `${VM}/status/start`);
  const move = { online: 1, 'with-local-disks': 1 };
  expect(await cluster.refusal('POST', `${VM}/migrate`, { ...move, target: 'pve3' })).toBe(
    "500 Cannot live-migrate replicated VM to node 'pve3' - not a replication target. Use 'force' to override.",
  );
  expect(await cluster.run('POST', `${VM}/migrate`, { ...move, target: 'pve2' })).toMatchObject({
    exitstatus: 'OK',
  });
});
