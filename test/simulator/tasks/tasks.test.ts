import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

const TASKS = '/nodes/pve1/tasks';
const TF = 'tf@pve!prov=33333333-3333-4333-8333-333333333333';
const NOBODY = 'nobody@pve!t1=66666666-6666-4666-8666-666666666666';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

const create = (vmid: number) => cluster.run('POST', '/nodes/pve1/qemu', { vmid, memory: 64 });
const list = async (params: Record<string, string | number> = {}, token?: string) =>
  (await cluster.data('GET', TASKS, params, token)) as Record<string, unknown>[];

describe('the list of tasks', () => {
  it('shows finished tasks, newest first, a page at a time', async () => {
    for (const vmid of [101, 102, 103]) await create(vmid);
    expect((await list()).map(({ id }) => id)).toEqual(['103', '102', '101']);
    expect((await list({ start: 1, limit: 1 })).map(({ id }) => id)).toEqual(['102']);
    const { text } = await cluster.request('GET', TASKS, { limit: 1 });
    expect(JSON.parse(text)).toMatchObject({ total: 3 });
  });

  it('leaves the count out when there is none', async () => {
    const { text } = await cluster.request('GET', TASKS, { vmid: 999 });
    expect(JSON.parse(text)).toEqual({ data: [] });
  });

  it('keeps what runs apart', async () => {
    await create(101);
    const upid = await cluster.begin('POST', '/nodes/pve1/qemu/101/status/start');
    expect((await list()).map(({ type }) => type)).toEqual(['qmcreate']);
    expect(await list({ source: 'active' })).toMatchObject([{ type: 'qmstart', status: 'RUNNING' }]);
    expect((await list({ source: 'all' })).map(({ type }) => type)).toEqual(['qmstart', 'qmcreate']);
    await cluster.ended(upid);
    expect(await list({ source: 'active' })).toEqual([]);
  });

  it('filters by kind, status and time', async () => {
    await create(101);
    await cluster.run('POST', '/nodes/pve1/qemu/999/status/start');
    const then = Math.floor(new Date().getTime() / 1000) * 2;
    expect((await list({ typefilter: 'qmcreate' })).map(({ id }) => id)).toEqual(['101']);
    expect((await list({ errors: 1 })).map(({ id }) => id)).toEqual(['999']);
    expect((await list({ statusfilter: 'error,unknown' })).map(({ id }) => id)).toEqual(['999']);
    expect(await list({ since: then })).toEqual([]);
    expect(await list({ until: then })).toHaveLength(2);
    expect(await list({ userfilter: 'ROOT@' })).toHaveLength(2);
    expect(await list({ userfilter: 'root@pam!full' })).toEqual([]);
  });
});

describe('a creation', () => {
  it('that is stopped says which guest there will not be', async () => {
    const upid = await cluster.begin('POST', '/nodes/pve1/qemu', { vmid: 101, scsi0: 'local:1' });
    await cluster.data('DELETE', `${TASKS}/${encodeURIComponent(upid)}`);
    expect((await cluster.ended(upid)).exitstatus).toBe('unable to create VM 101 - received interrupt');
    expect(cluster.world.guests).not.toHaveProperty('101');
  });

  it('with a start goes through the HA manager for a guest of his', async () => {
    const wishes = { vmid: 101, memory: 64, start: 1, 'ha-managed': 1 };
    expect((await cluster.run('POST', '/nodes/pve1/qemu', wishes)).log).toEqual([
      'Add as HA resource',
      'Execute autostart',
      'TASK OK',
    ]);
    await cluster.pass(30_000);
    expect((await list()).map(({ type }) => type)).toContain('hastart');
    expect(cluster.world.guests[101]?.running).not.toBeNull();
  });
});

describe('a log', () => {
  it('comes as a file when asked', async () => {
    const { upid } = await create(101);
    const path = `${TASKS}/${encodeURIComponent(upid)}/log`;
    const { text, headers } = await cluster.request('GET', path, { download: 1 });
    expect(text).toBe('TASK OK\n');
    expect(headers).toMatchObject({ 'content-type': 'text/plain' });
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="task-pve1-qmcreate-[\dTZ:-]+\.log"$/,
    );
    expect(await cluster.refusal('GET', path, { download: 1, limit: 5 })).toBe(
      "500 'download' cannot be used together with 'start' or 'limit' parameters",
    );
  });
});

describe('the tasks of others', () => {
  it('are hidden from who may not audit the node', async () => {
    const { upid } = await create(101);
    expect(await list({}, NOBODY)).toEqual([]);
    expect(await list({}, TF)).toHaveLength(1);
    const path = `${TASKS}/${encodeURIComponent(upid)}`;
    expect(await cluster.refusal('GET', `${path}/status`, {}, NOBODY)).toBe(
      '403 Permission check failed (/nodes/pve1, Sys.Audit)',
    );
    expect(await cluster.refusal('GET', `${path}/log`, {}, NOBODY)).toBe(
      '403 Permission check failed (/nodes/pve1, Sys.Audit)',
    );
    expect(await cluster.refusal('DELETE', path, {}, NOBODY)).toBe(
      '403 Permission check failed (/nodes/pve1, Sys.Modify)',
    );
  });

  it('a token sees its own, with its name apart', async () => {
    const upid = (await cluster.data('POST', '/nodes/pve1/qemu', { vmid: 101 }, TF)) as string;
    expect(upid.endsWith(':qmcreate:101:tf@pve!prov:')).toBe(true);
    await cluster.ended(upid);
    const path = `${TASKS}/${encodeURIComponent(upid)}`;
    expect(await cluster.data('GET', `${path}/status`, {}, TF)).toMatchObject({
      user: 'tf@pve',
      tokenid: 'prov',
    });
  });
});

describe('a log', () => {
  it('is read a page at a time and counts all its lines', async () => {
    await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 101, scsi0: 'local:1', scsi1: 'local:1' });
    const { upid } = await cluster.run('POST', '/nodes/pve1/qemu/101/clone', { newid: 102 });
    const path = `${TASKS}/${encodeURIComponent(upid)}/log`;
    const all = (await cluster.data('GET', path)) as { n: number; t: string }[];
    expect(all.map(({ n }) => n)).toEqual(all.map((_, index) => index + 1));
    const { text } = await cluster.request('GET', path, { start: 1, limit: 2 });
    expect(JSON.parse(text)).toEqual({ data: all.slice(1, 3), total: all.length });
  });

  it('says so when nothing has been written yet', async () => {
    await create(101);
    const upid = await cluster.begin('POST', '/nodes/pve1/qemu/101/status/start');
    const { text } = await cluster.request('GET', `${TASKS}/${encodeURIComponent(upid)}/log`);
    expect(JSON.parse(text)).toEqual({ data: [{ n: 1, t: 'no content' }], total: 1 });
  });
});

describe('a stop', () => {
  it('ends what runs, and says nothing about what has ended', async () => {
    await create(101);
    const upid = await cluster.begin('POST', '/nodes/pve1/qemu/101/status/start');
    const path = `${TASKS}/${encodeURIComponent(upid)}`;
    expect(await cluster.data('DELETE', path)).toBeNull();
    expect((await cluster.ended(upid)).exitstatus).toBe('received interrupt');
    expect(await cluster.data('DELETE', path)).toBeNull();
    expect(await cluster.data('GET', '/nodes/pve1/qemu/101/status/current')).toMatchObject({
      status: 'stopped',
    });
  });
});
