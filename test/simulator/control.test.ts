import type { Simulator } from '../../simulator';
import type { LedgerEntry } from '../../simulator/control/ledger';
import type { Answered } from '../support/cluster/ask';
import { ask } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startCluster({ timeScale: 'held' });
});
afterEach(() => simulator.close());

const get = (path: string): Promise<Answered> => ask(simulator, 'GET', path);
const control = (method: string, path: string, json?: unknown): Promise<Answered> =>
  ask(simulator, method, `/_sim${path}`, json === undefined ? {} : { json });

test.each([
  ['evil.example.com', 421],
  ['localhost', 200],
  ['192.0.2.1:8006', 200],
])('the pages of the simulator are told to known names only: %s', async (host, status) => {
  expect((await ask(simulator, 'GET', '/_sim/ledger', { headers: { host } })).status).toBe(status);
});

describe('the ledger', () => {
  it('has every request with its route, and counts by route', async () => {
    await get('/nodes/pve1/qemu/9000/config');
    await get('/nodes/pve1/qemu/9001/config');
    await get('/foo');
    await ask(simulator, 'POST', '/access/groups', { form: { groupid: 'a' } });
    await ask(simulator, 'GET', '/version', { headers: {} });
    const { requests, routes, total } = (await control('GET', '/ledger')).json;
    const shown = requests.map(({ n, method, route, status, user, write }: Partial<LedgerEntry>) => [
      n,
      method,
      route,
      status,
      user,
      write,
    ]);
    expect(shown).toEqual([
      [1, 'GET', '/nodes/{node}/qemu/{vmid}/config', 200, 'root@pam!full', false],
      [2, 'GET', '/nodes/{node}/qemu/{vmid}/config', 200, 'root@pam!full', false],
      [3, 'GET', undefined, 501, 'root@pam!full', false],
      [4, 'POST', '/access/groups', 200, 'root@pam!full', true],
      [5, 'GET', undefined, 401, undefined, false],
    ]);
    expect(routes['GET /nodes/{node}/qemu/{vmid}/config']).toMatchObject({
      requests: 2,
      writes: 0,
      failures: 0,
    });
    expect(total).toMatchObject({ requests: 5, writes: 1, failures: 2 });
    expect(requests[3].bytesIn).toBe('groupid=a'.length);
    await control('DELETE', '/ledger');
    expect((await control('GET', '/ledger/counts')).json).toMatchObject({
      total: { requests: 0 },
      routes: {},
    });
  });

  it('has broken connections and the faults that broke them', async () => {
    const [id] = (await control('POST', '/faults', { path: '/version', effect: { kind: 'reset' } })).json;
    await expect(get('/version')).rejects.toThrow();
    expect((await control('GET', '/ledger')).json.requests).toMatchObject([{ status: 0, faults: [id] }]);
    await control('DELETE', `/faults/${id}`);
    expect((await get('/version')).status).toBe(200);
    expect(await control('DELETE', `/faults/${id}`)).toMatchObject({ status: 400 });
  });
});

describe('the clock', () => {
  it('moves when it is told to', async () => {
    const before = (await control('GET', '/clock')).json.now;
    expect((await control('POST', '/clock', { advance: 1500 })).json).toEqual({ now: before + 1500 });
    expect(simulator.sim.clock.now()).toBe(before + 1500);
  });

  it('that runs by itself refuses', async () => {
    const other = await startCluster();
    expect(await ask(other, 'POST', '/_sim/clock', { json: { advance: 1 } })).toMatchObject({
      status: 400,
      json: { error: 'the clock runs by itself: hold it first, or start the simulator with --time-scale 0' },
    });
    await other.close();
  });
});

describe('a node', () => {
  const event = (action: string, node: string): Promise<Answered> =>
    control('POST', '/node', { action, node });
  const listOn = (node: string): Promise<Answered> => get(`/nodes/${node}/qemu`);

  it('whose API is down refuses connections, and its guests run on', async () => {
    await event('api-down', 'pve3');
    expect(await listOn('pve3')).toMatchObject({ status: 595, reason: 'Connection refused', text: '' });
    expect(simulator.world.guests[100]?.running).not.toBeNull();
    await event('api-up', 'pve3');
    expect((await listOn('pve3')).status).toBe(200);
  });

  it('that is down cannot be reached, its guests and tasks are gone, two of three go on', async () => {
    const upid = simulator.sim.tasks.start(
      { type: 'qmstart', id: '100', node: 'pve3', user: 'root@pam' },
      task => task.work(60_000),
    );
    await event('node-down', 'pve3');
    expect(await listOn('pve3')).toMatchObject({ status: 595, reason: 'No route to host' });
    expect(simulator.world.guests[100]?.running).toBeNull();
    expect(simulator.sim.tasks.find(upid)).toMatchObject({
      status: 'stopped',
      exitstatus: 'unexpected status',
    });
    expect(simulator.world.cluster?.quorate).toBe(true);
    await event('node-down', 'pve2');
    expect(simulator.world.cluster?.quorate).toBe(false);
    await event('node-up', 'pve2');
    expect(simulator.world.cluster?.quorate).toBe(true);
  });

  it('that has left the cluster still answers', async () => {
    await event('quorum-loss', 'pve2');
    await event('quorum-loss', 'pve3');
    expect(simulator.world.cluster?.quorate).toBe(false);
    expect((await listOn('pve2')).status).toBe(200);
    await event('quorum-restore', 'pve2');
    expect(simulator.world.cluster?.quorate).toBe(true);
  });

  it('that is asked itself and down answers nothing at all', async () => {
    await event('api-down', 'pve1');
    await expect(get('/version')).rejects.toThrow(/socket hang up|ECONNRESET/);
    await event('api-up', 'pve1');
    expect((await get('/version')).status).toBe(200);
  });

  it.each([
    [{ action: 'api-down', node: 'pve9' }, "there is no node 'pve9'"],
    [{ action: 'dance', node: 'pve1' }, 'node.action: "dance" is not allowed'],
    [{ action: 'api-down' }, 'node.node: nothing is not allowed'],
  ])('that cannot be is refused: %j', async (order, error) => {
    const answer = await control('POST', '/node', order);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toContain(error);
  });
});

describe('somebody else', () => {
  const happen = (event: object): Promise<Answered> => control('POST', '/event', event);

  it('fills a storage', async () => {
    await happen({ kind: 'storage-full', storage: 'local' });
    expect((await get('/nodes/pve1/storage/local/status')).json.data.avail).toBe(0);
  });

  it('holds a lock file for a while', async () => {
    await happen({ kind: 'flock', vmid: 9000, ms: 60_000 });
    const write = ask(simulator, 'PUT', '/nodes/pve1/qemu/9000/config', { form: { cores: '2' } });
    for (let writes = 0; simulator.sim.flocks.held().length > 0 && writes < 20; writes += 1) {
      await get('/version');
      await simulator.sim.clock.advance(1000);
    }
    expect((await write).reason).toBe("can't lock file '/var/lock/qemu-server/lock-9000.conf' - got timeout");
  });
});

it('begins again where it began', async () => {
  await ask(simulator, 'POST', '/access/groups', { form: { groupid: 'a' } });
  await control('POST', '/faults', { path: '/version', effect: { kind: 'half' } });
  expect((await control('POST', '/reset')).status).toBe(200);
  expect(simulator.world.access.groups).toEqual({});
  expect((await get('/version')).status).toBe(200);
});

it('shows a page that needs nothing from elsewhere', async () => {
  const page = await control('GET', '/');
  expect(page.headers['content-type']).toBe('text/html;charset=UTF-8');
  expect(page.text).toContain('<title>Simulated Proxmox cluster</title>');
  expect(page.text).not.toMatch(/(src|href)=|https?:\/\//);
  const state = (await control('GET', '/state')).json;
  expect(state.guests.map(({ vmid }: { vmid: number }) => vmid)).toEqual([100, 101, 9000, 9001]);
  expect(state.nodes).toContainEqual({ name: 'pve1', state: 'online' });
});

it.each([
  ['GET', '/nothing', 404],
  ['PUT', '/ledger', 404],
])('does not know %s %s', async (method, path, status) => {
  expect((await control(method, path)).status).toBe(status);
});
