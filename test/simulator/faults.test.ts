import type { Simulator } from '../../simulator';
import { brokenInvariants } from '../../simulator/invariants/broken';
import type { Answered } from '../support/cluster/ask';
import { ask } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startCluster({ timeScale: 'held' });
});
afterEach(() => simulator.close());

const get = (path: string): Promise<Answered> => ask(simulator, 'GET', path);
const setFault = (fault: object): Promise<Answered> =>
  ask(simulator, 'POST', '/_sim/faults', { json: fault });
const makeGroup = (groupid: string): Promise<Answered> =>
  ask(simulator, 'POST', '/access/groups', { form: { groupid } });
const groups = (): string[] => Object.keys(simulator.world.access.groups);

describe('a fault', () => {
  it('answers what it is told instead of doing the work', async () => {
    await setFault({
      path: '/access/groups',
      methods: ['POST'],
      effect: { kind: 'answer', status: 500, text: 'no luck' },
    });
    expect(await makeGroup('a')).toMatchObject({
      status: 500,
      reason: 'no luck',
      json: { data: null, message: 'no luck\n' },
    });
    expect(groups()).toEqual([]);
    expect((await get('/access/groups')).status).toBe(200);
  });

  it('names parameters, where it has errors', async () => {
    const effect = {
      kind: 'answer',
      status: 400,
      text: 'Parameter verification failed.',
      errors: { a: 'b' },
    };
    await setFault({ path: '/version', effect });
    expect((await get('/version')).json.errors).toEqual({ a: 'b' });
  });

  it.each([
    ['not-done', 595, 'Connection refused', []],
    ['done', 596, 'Connection timed out', ['a']],
    ['done', 599, 'Too many redirections', ['a']],
  ])('of a gateway, work %s, is a %i without a body', async (work, status, reason, left) => {
    await setFault({ path: '/access/groups', effect: { kind: 'gateway', status, work } });
    expect(await makeGroup('a')).toMatchObject({ status, reason, text: '' });
    expect(groups()).toEqual(left);
  });

  it.each([
    ['not-done', []],
    ['done', ['a']],
  ])('breaks the connection with the work %s', async (work, left) => {
    await setFault({ path: '/access/groups', effect: { kind: 'reset', work } });
    await expect(makeGroup('a')).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(groups()).toEqual(left);
  });

  it('sends half an answer', async () => {
    await setFault({ path: '/access/groups', effect: { kind: 'half' } });
    await expect(makeGroup('a')).rejects.toThrow(/aborted|hang up|Parse Error/);
    expect(groups()).toEqual(['a']);
  });

  it.each([
    ['not-done', []],
    ['done', ['a']],
  ])('makes an answer wait for the clock, with the work %s', async (work, left) => {
    await setFault({ path: '/access/groups', methods: ['POST'], effect: { kind: 'slow', ms: 5000, work } });
    const answer = makeGroup('a');
    // the request is in once the fault has met it
    for (let hits = 0; hits === 0; hits = simulator.faults.list()[0]?.hits ?? 0) await get('/version');
    await simulator.sim.clock.advance(4999);
    expect(groups()).toEqual(left);
    await simulator.sim.clock.advance(1);
    expect((await answer).status).toBe(200);
    expect(groups()).toEqual(['a']);
  });

  it('that takes longer than 30 s is a 596, and the work is done all the same', async () => {
    await setFault({ path: '/access/groups', methods: ['POST'], effect: { kind: 'slow', ms: 36_000 } });
    const answer = makeGroup('a');
    for (let hits = 0; hits === 0; hits = simulator.faults.list()[0]?.hits ?? 0) await get('/version');
    await simulator.sim.clock.advance(30_000);
    expect(await answer).toMatchObject({ status: 596, reason: 'Connection timed out', text: '' });
    expect(groups()).toEqual([]);
    await simulator.sim.clock.advance(6_000);
    expect(groups()).toEqual(['a']);
  });

  it('says that a lock file is taken', async () => {
    await setFault({ path: '/nodes/*/qemu/9000/**', effect: { kind: 'lock-timeout' }, count: 1 });
    const read = (): Promise<Answered> => get('/nodes/pve1/qemu/9000/config');
    expect((await read()).reason).toBe(
      "can't lock file '/var/lock/qemu-server/lock-9000.conf' - got timeout",
    );
    expect((await read()).status).toBe(200);
  });

  it('revokes the token that is used', async () => {
    await setFault({ path: '/version', effect: { kind: 'token-revoked' }, after: 1 });
    expect((await get('/version')).status).toBe(200);
    expect(await get('/version')).toMatchObject({ status: 401, reason: 'Authentication failed!' });
    expect((await get('/nodes')).status).toBe(401);
  });
});

describe('a fault meets', () => {
  const failing = { kind: 'answer', status: 500, text: 'met' };
  const met = async (count: number, path = '/version'): Promise<number[]> => {
    const statuses: number[] = [];
    for (let each = 0; each < count; each += 1) statuses.push((await get(path)).status);
    return statuses;
  };

  it('so many requests, after so many others', async () => {
    await setFault({ path: '/version', after: 2, count: 1, effect: failing });
    expect(await met(4)).toEqual([200, 200, 500, 200]);
  });

  it('one user', async () => {
    await setFault({ path: '/version', user: 'somebody@pve', effect: failing });
    expect(await met(1)).toEqual([200]);
    await setFault({ path: '/version', user: 'root@pam!full', effect: failing });
    expect(await met(1)).toEqual([500]);
  });

  it.each([
    ['/nodes/*/qemu', '/nodes/pve1/qemu', 500],
    ['/nodes/*/qemu', '/nodes/pve1/qemu/9000/config', 200],
    ['/nodes/pve*/qemu/**', '/nodes/pve1/qemu/9000/config', 500],
    ['/nodes/pve1/qemu/**', '/nodes/pve1/qemu', 200],
    ['/**', '/nodes/pve1/qemu', 500],
  ])('by %s the path %s: %i', async (pattern, path, status) => {
    await setFault({ path: pattern, effect: failing });
    expect(await met(1, path)).toEqual([status]);
  });

  it('some requests by a probability that the seed repeats', async () => {
    const statuses = async (): Promise<number[]> => {
      const other = await startCluster({ seed: 5 });
      other.faults.add({
        path: '/version',
        probability: 0.5,
        effect: { kind: 'answer', status: 500, text: 'x' },
      });
      const all: number[] = [];
      for (let each = 0; each < 12; each += 1) all.push((await ask(other, 'GET', '/version')).status);
      await other.close();
      return all;
    };
    const first = await statuses();
    expect(new Set(first).size).toBe(2);
    expect(await statuses()).toEqual(first);
  });
});

describe('meanwhile somebody', () => {
  const during = (event: object): Promise<Answered> =>
    setFault({ path: '/nodes/pve1/qemu/9000/config', count: 1, effect: { kind: 'event', event } });

  it('edits the guest: a digest read before no longer fits', async () => {
    const { digest } = (await get('/nodes/pve1/qemu/9000/config')).json.data;
    await during({ kind: 'edit', vmid: 9000, set: { description: 'not you' }, delete: ['ostype'] });
    const answer = await ask(simulator, 'PUT', '/nodes/pve1/qemu/9000/config', {
      form: { cores: '3', digest },
    });
    expect(answer.reason).toBe('checksum mismatch (file change by other user?)');
  });

  it('moves the guest: it is no longer there', async () => {
    await during({ kind: 'move', vmid: 9000, node: 'pve2' });
    expect((await get('/nodes/pve1/qemu/9000/config')).reason).toBe(
      "Configuration file 'nodes/pve1/qemu-server/9000.conf' does not exist",
    );
    expect((await get('/nodes/pve2/qemu/9000/config')).status).toBe(200);
    expect(brokenInvariants(simulator.sim)).toEqual([]);
  });

  it('locks the guest', async () => {
    await during({ kind: 'lock', vmid: 9000, lock: 'backup' });
    const write = (): Promise<Answered> =>
      ask(simulator, 'PUT', '/nodes/pve1/qemu/9000/config', { form: { cores: '3' } });
    expect((await write()).reason).toBe('VM is locked (backup)');
  });

  it('takes the majority away', async () => {
    await during({ kind: 'quorum', quorate: false });
    const write = await ask(simulator, 'PUT', '/nodes/pve1/qemu/9000/config', { form: { cores: '3' } });
    expect(write.reason).toMatch(/^unable to open file .* - Permission denied$/);
  });

  it('does what cannot be done: nothing happens, and the request goes on', async () => {
    jest.spyOn(process.stderr, 'write').mockReturnValueOnce(true);
    await during({ kind: 'move', vmid: 4711, node: 'pve2' });
    expect((await get('/nodes/pve1/qemu/9000/config')).status).toBe(200);
  });
});

it.each<[object, string]>([
  [{}, 'fault.path: nothing is not allowed; expected a text'],
  [
    { path: 'version', effect: { kind: 'half' } },
    'fault.path: "version" is not allowed; expected a path that starts with /',
  ],
  [
    { path: '/v', effect: { kind: 'haf' } },
    'fault.effect.kind: "haf" is not allowed; expected one of answer, ',
  ],
  [{ path: '/v', effect: { kind: 'half' }, cuont: 1 }, 'fault.cuont: unknown field'],
  [{ path: '/v', effect: { kind: 'half' }, probability: 2 }, 'fault.probability: 2 is not allowed'],
  [
    { path: '/v', effect: { kind: 'event', event: { kind: 'node', action: 'explode', node: 'pve1' } } },
    'fault.effect.event.action: "explode" is not allowed; expected one of api-down, ',
  ],
])('refuses a fault that is none, and says where: %j', async (fault, error) => {
  const answer = await setFault(fault);
  expect(answer.status).toBe(400);
  expect(answer.json.error).toContain(error);
  expect(simulator.faults.list()).toEqual([]);
});
