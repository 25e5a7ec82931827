import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

/** Nobody recorded backup jobs: what these say is assumed. */

const JOBS = '/cluster/backup';
const WITH_LOCK = '500 400 Parameter verification failed.';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
  for (const vmid of [100, 101]) await cluster.run('POST', '/nodes/pve1/qemu', { vmid, memory: 64 });
});
afterEach(() => cluster.close());

const add = (id: string, more: Record<string, string | number>) =>
  cluster.data('POST', JOBS, { id, schedule: '21:00', storage: 'local', ...more });
const one = (id: string) => cluster.data('GET', `${JOBS}/${id}`);

it('is made, listed, changed and deleted', async () => {
  expect(await cluster.data('GET', JOBS)).toEqual([]);
  await add('nightly', { vmid: '100,101', 'prune-backups': 'keep-last=3' });
  const job = {
    ...{ id: 'nightly', type: 'vzdump', enabled: 1, schedule: '21:00', storage: 'local' },
    ...{ vmid: '100,101', 'prune-backups': { 'keep-last': '3' } },
  };
  expect(await cluster.data('GET', JOBS)).toEqual([job]);
  await cluster.data('PUT', `${JOBS}/nightly`, { comment: 'of the night', enabled: 0 });
  expect(await one('nightly')).toEqual({ ...job, comment: 'of the night', enabled: 0 });
  await cluster.data('PUT', `${JOBS}/nightly`, { delete: 'comment,prune-backups', all: 1 });
  const { vmid: _vmid, 'prune-backups': _keep, ...left } = job;
  expect(await one('nightly')).toEqual({ ...left, enabled: 0, all: 1 });
  await cluster.data('DELETE', `${JOBS}/nightly`);
  expect(await cluster.data('GET', JOBS)).toEqual([]);
});

it('gets an id and a schedule where the old words are used', async () => {
  await cluster.data('POST', JOBS, { all: 1, starttime: '3:15', dow: 'sat,sun' });
  expect(await cluster.data('GET', JOBS)).toMatchObject([
    { id: expect.stringMatching(/^backup-[\da-f]{8}-[\da-f]{4}$/) as string, schedule: 'sat,sun 3:15' },
  ]);
});

it('is refused as Proxmox refuses it', async () => {
  await add('nightly', { vmid: '100' });
  const post = (params: Record<string, string | number>) => cluster.refusal('POST', JOBS, params);
  expect(await post({ id: 'nightly', vmid: '100', schedule: '21:00' })).toBe(
    "500 Job 'nightly' already exists",
  );
  expect(await post({ vmid: '100' })).toMatch(/400 .*neither 'starttime' nor 'schedule' were set/);
  expect(await post({ schedule: '21:00' })).toMatch(/400 .*"vmid":"property is missing"/);
  expect(await post({ schedule: '21:00', vmid: '100', all: 1 })).toMatch(/400 .*"all":"option conflicts/);
  expect(await post({ schedule: 'when the moon is full', all: 1 })).toMatch(/400 .*schedule/);
  expect(await cluster.refusal('GET', `${JOBS}/none`)).toBe(`400 {"id":"No such job 'none'"}`);
  expect(await cluster.refusal('DELETE', `${JOBS}/none`)).toContain(WITH_LOCK);
  expect(await cluster.refusal('PUT', `${JOBS}/nightly`, { delete: 'nothing' })).toContain(WITH_LOCK);
  expect(await cluster.refusal('PUT', `${JOBS}/nightly`, { delete: 'vmid' })).toContain(WITH_LOCK);
});

it('is seen with Sys.Audit, and made with Sys.Modify and the right to the storage', async () => {
  await add('nightly', { vmid: '100' });
  await cluster.data('POST', '/access/users', { userid: 'ops@pve' });
  const { value } = (await cluster.data('POST', '/access/users/ops@pve/token/tok', { privsep: 0 })) as {
    value: string;
  };
  const token = `ops@pve!tok=${value}`;
  expect(await cluster.refusal('GET', JOBS, {}, token)).toBe('403 Permission check failed (/, Sys.Audit)');
  await cluster.data('PUT', '/access/acl', { path: '/', users: 'ops@pve', roles: 'PVEAuditor' });
  expect(await cluster.data('GET', JOBS, {}, token)).toHaveLength(1);
  expect(await cluster.refusal('DELETE', `${JOBS}/nightly`, {}, token)).toContain('(/, Sys.Modify)');
});

it('forgets a guest that is purged, and goes with its last one', async () => {
  await add('both', { vmid: '100,101' });
  await add('only', { vmid: '100' });
  await add('but', { exclude: '100' });
  const free = async () =>
    ((await cluster.data('GET', '/cluster/backup-info/not-backed-up')) as { vmid: number }[]).map(
      ({ vmid }) => vmid,
    );
  expect(await free()).not.toContain(100);
  const { log } = await cluster.run('DELETE', '/nodes/pve1/qemu/100', { purge: 1 });
  expect(log.join()).toContain('purging VM 100 from related configurations..');
  expect(cluster.world.backupJobs).toEqual({
    both: expect.objectContaining({ vmid: '101' }) as object,
    but: expect.not.objectContaining({ exclude: '100' }) as object,
  });
  await cluster.run('DELETE', '/nodes/pve1/qemu/101');
  expect(await one('both')).toMatchObject({ vmid: '101' });
});
