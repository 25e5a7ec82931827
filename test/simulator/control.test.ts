import type { Simulator } from '../../simulator';
import type { LedgerEntry } from '../../simulator/control/ledger';
import type { Answered } from '../support/cluster/ask';
import { ask } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';
import { until } from '../support/daemon/daemon-lab';

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

test.each(['/ca', '/health'])('under any name it tells %s, which is no secret', async path => {
  expect((await ask(simulator, 'GET', `/_sim${path}`, { headers: { host: 'docker:8006' } })).status).toBe(
    200,
  );
});

describe('a page of another site', () => {
  const from = (method: string, path: string, headers: Record<string, string>): Promise<Answered> =>
    ask(simulator, method, `/_sim${path}`, { headers: { host: '127.0.0.1:8006', ...headers } });

  it.each([
    ['POST', '/reset', { origin: 'https://evil.example.com' }],
    ['POST', '/reset', { origin: 'null' }],
    ['POST', '/reset', { origin: 'https://127.0.0.1:3000' }],
    ['DELETE', '/faults', { 'sec-fetch-site': 'cross-site' }],
    ['GET', '/events', { 'sec-fetch-site': 'same-site' }],
    ['GET', '/world', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused: %s %s %j', async (method, path, headers) => {
    await control('POST', '/faults', { path: '/version', effect: { kind: 'half' } });
    const answer = await from(method, path, headers);
    expect([answer.status, simulator.faults.list().length]).toEqual([403, 1]);
    expect(answer.json.error).toContain('a page of another site asks for this');
  });

  it('may link to the page, and the page itself may do all', async () => {
    expect((await from('GET', '/', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    const own = { origin: 'https://127.0.0.1:8006', 'sec-fetch-site': 'same-origin' };
    expect((await from('DELETE', '/faults', own)).status).toBe(200);
  });
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

  it('can be held while it runs, moved on, and let run again; who sleeps sleeps on', async () => {
    const other = await startCluster({ timeScale: 1 });
    const clock = (json: object): Promise<Answered> => ask(other, 'POST', '/_sim/clock', { json });
    let woken = 0;
    void other.sim.clock.sleep(60_000).then(() => (woken += 1));
    await clock({ scale: 0 });
    const { now, scale } = (await ask(other, 'GET', '/_sim/clock')).json;
    expect(scale).toBe(0);
    expect((await clock({ advance: 59_000 })).json).toEqual({ now: now + 59_000 });
    expect(woken).toBe(0);
    await clock({ scale: 100 });
    await until(
      () => woken,
      count => count === 1,
    );
    expect(await clock({ scale: -1 })).toMatchObject({ status: 400 });
    expect(await clock({})).toMatchObject({ status: 400 });
    await other.close();
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

it('the network can be made slower and late while it runs', async () => {
  expect((await control('POST', '/network', { latencyMs: 60 })).json).toEqual({ lagMs: 0, latencyMs: 60 });
  const began = performance.now();
  await get('/version');
  expect(performance.now() - began).toBeGreaterThan(55);
  await control('POST', '/network', { lagMs: 10_000, latencyMs: 0 });
  const nameOf = async (): Promise<unknown> =>
    (await get('/cluster/resources')).data.find(({ vmid }: { vmid?: number }) => vmid === 100).name;
  await control('POST', '/event', { kind: 'edit', vmid: 100, set: { name: 'renamed' } });
  expect(await nameOf()).toBe('legacy-db');
  await control('POST', '/clock', { advance: 10_000 });
  expect(await nameOf()).toBe('renamed');
  await control('POST', '/network', { lagMs: 0 });
  await control('POST', '/event', { kind: 'edit', vmid: 100, set: { name: 'again' } });
  expect(await nameOf()).toBe('again');
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
  const needs = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, from]) => from);
  expect(needs).toEqual(['data:,', '/_sim/page.css', '/_sim/page.js']);
  for (const path of ['/page.css', '/page.js']) {
    const { status, text, headers } = await control('GET', path);
    expect([status, /https?:\/\//.test(text)]).toEqual([200, false]);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  }
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
