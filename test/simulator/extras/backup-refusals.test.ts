import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

/** Where Proxmox does not begin with a backup, or leaves guests out: pve-manager VZDump.pm. */

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
  await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 100, name: 'web', memory: 64 });
});
afterEach(() => cluster.close());

const backUp = (params: Record<string, string | number> = {}) =>
  cluster.run('POST', '/nodes/pve1/vzdump', { vmid: 100, storage: 'local', ...params });

async function archives(): Promise<Record<string, unknown>[]> {
  const path = '/nodes/pve1/storage/local/content';
  return (await cluster.data('GET', path, { content: 'backup' })) as Record<string, unknown>[];
}

/** Why the backup of a guest failed, and how the job ended. */
async function failure(params: Record<string, string | number>): Promise<string[]> {
  const { log } = await backUp(params);
  const why = log.find(line => line.startsWith('ERROR: ')) ?? '';
  return [why.replace(/^ERROR: Backup of VM \d+ failed - /, ''), ...log.slice(-2)];
}

const ENDS = ['INFO: Backup job finished with errors', 'TASK ERROR: job errors'];

it('mode stop is refused for a guest that HA keeps started, whether it runs or not', async () => {
  await cluster.data('POST', '/cluster/ha/resources', { sid: 'vm:100', state: 'started' });
  const why =
    'Cannot execute a backup with stop mode on a HA managed and enabled Service. ' +
    'Use snapshot mode or disable the Service.';
  expect(await failure({ mode: 'stop' })).toEqual([why, ...ENDS]);
  await cluster.data('PUT', '/cluster/ha/resources/vm:100', { state: 'ignored' });
  expect((await backUp({ mode: 'stop' })).exitstatus).toBe('OK');
});

it('as many backups stand there as are to be kept, and none may go', async () => {
  const keep = { remove: 0, 'prune-backups': 'keep-last=1' };
  expect((await backUp(keep)).exitstatus).toBe('OK');
  const why = (count: number) =>
    `There is a max backup limit of ${count} enforced by the target storage or the vzdump parameters. ` +
    'Either increase the limit or delete old backups.';
  expect(await failure(keep)).toEqual([why(1), ...ENDS]);
  expect((await backUp({ ...keep, 'prune-backups': 'keep-last=1,keep-daily=1' })).exitstatus).toBe('OK');
  expect(await failure({ ...keep, 'prune-backups': 'keep-last=1,keep-daily=1' })).toEqual([why(2), ...ENDS]);
  expect((await backUp({ remove: 0, 'prune-backups': 'keep-all=1' })).exitstatus).toBe('OK');
  expect((await backUp({ ...keep, protected: 1 })).exitstatus).toBe('OK');
  cluster.world.storages.find(({ storage }) => storage === 'local')!.options = {
    'max-protected-backups': '1',
  };
  expect(await failure({ protected: 1 })).toEqual([
    "The number of protected backups per guest is limited to 1 on storage 'local'",
    ...ENDS,
  ]);
});

it('an id of nobody fails, the others are backed up, and those of other nodes are named', async () => {
  expect(await failure({ vmid: 999 })).toEqual(["unable to find VM '999'", ...ENDS]);
  await cluster.run('POST', '/nodes/pve2/qemu', { vmid: 211, memory: 64 });
  const { log, exitstatus } = await backUp({ vmid: '999,211,100' });
  expect(exitstatus).toBe('job errors');
  expect(log.slice(0, 3)).toEqual([
    expect.stringMatching(/^INFO: starting new backup job: vzdump 999 211 100 .*--storage local/),
    'INFO: skip external VMs: 211',
    'INFO: Starting Backup of VM 100 (qemu)',
  ]);
  expect(log.filter(line => /Finished Backup|ERROR: /.test(line))).toEqual([
    expect.stringContaining('Finished Backup of VM 100'),
    "ERROR: Backup of VM 999 failed - unable to find VM '999'",
    'TASK ERROR: job errors',
  ]);
  expect(await archives()).toHaveLength(1);
});

it('a second backup within a second takes the place of the first, whose notes stay', async () => {
  const quick = await openCluster({ taskMs: 0 });
  await quick.run('POST', '/nodes/pve1/qemu', { vmid: 100, memory: 64 });
  const wish = { vmid: 100, storage: 'local' };
  const first = await quick.begin('POST', '/nodes/pve1/vzdump', { ...wish, 'notes-template': 'first' });
  const second = await quick.begin('POST', '/nodes/pve1/vzdump', { ...wish, protected: 1 });
  for (const upid of [first, second]) expect((await quick.ended(upid)).exitstatus).toBe('OK');
  const rows = await quick.data('GET', '/nodes/pve1/storage/local/content', { content: 'backup' });
  expect(rows).toMatchObject([{ notes: 'first', protected: 1 }]);
  await quick.close();
});

it('a job that somebody stops goes on with no other guest', async () => {
  await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 101, memory: 64 });
  const upid = await cluster.begin('POST', '/nodes/pve1/vzdump', { vmid: '100,101', storage: 'local' });
  await cluster.pass(100);
  await cluster.data('DELETE', `/nodes/pve1/tasks/${encodeURIComponent(upid)}`);
  const { log, exitstatus } = await cluster.ended(upid);
  expect(exitstatus).toBe('interrupted by signal');
  expect(log).toContain('ERROR: Backup job failed - interrupted by signal');
  expect(log.join('\n')).not.toContain('VM 101');
});
