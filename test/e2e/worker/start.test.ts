import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { marked } from '../../support/cluster/end-state';
import { numbersBelow } from '../../support/in-parallel';
import { start } from '../../support/processes/cli';
import { programCopy } from '../../support/processes/program-copy';
import { sharedLab, small, until, type SharedLab } from '../../support/processes/shared-lab';

/** What clients of a cold start may find at one moment: nobody. */
const AT_ONCE = 40;

let lab: SharedLab;
beforeEach(async () => (lab = await sharedLab()));
afterEach(() => lab.close());

async function leavesNothing(): Promise<void> {
  await until(() => lab.workers().length === 0);
  expect(lab.files()).toEqual([]);
}

const made = (ids: string[]): number[] => ids.map(id => marked(lab.world, id).length);

/** Leaves a socket on which nobody listens. */
function leaveSocket(file: string): void {
  mkdirSync(path.dirname(file), { mode: 0o700, recursive: true });
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script, file]);
}

test(`${AT_ONCE} clients at once start no herd of workers, and none works alone`, async () => {
  const copy = programCopy();
  try {
    const ids = numbersBelow(AT_ONCE).map(index => `m${index}`);
    const runs = ids.map(id => copy.start(['apply'], lab.applyEnvironment(small(id))));
    const ended = await Promise.all(runs.map(each => each.ended));
    expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
    const { workers, alone } = copy.begun();
    // one; two where two clients were between their last look and their rename, which is the next call of the system
    expect({ alone, isHerd: workers > 2 }).toEqual({ alone: 0, isHerd: false });
    expect(made(ids)).toEqual(ids.map(() => 1));
    await leavesNothing();
  } finally {
    copy.remove();
  }
});

test('two that start a worker at one moment have one each; both serve, both end, and nothing is left', async () => {
  const meeting = mkdtempSync('/tmp/door-');
  const copy = programCopy();
  try {
    const hook = path.join(meeting, 'two-at-the-door.cjs');
    copyFileSync(path.join('test', 'support', 'processes', 'two-at-the-door.cjs'), hook);
    const env = { NODE_OPTIONS: `--require ${hook}` };
    const runs = ['a', 'b'].map(id => copy.start(['apply'], { ...lab.applyEnvironment(small(id)), ...env }));
    expect(await Promise.all(runs.map(async ({ ended }) => (await ended).code))).toEqual([0, 0]);
    expect(copy.begun()).toEqual({ workers: 2, alone: 0 });
    // who comes later has the one that was second
    expect((await copy.start(['destroy'], { ...lab.applyEnvironment(small('a')), ...env }).ended).code).toBe(
      0,
    );
    expect({ ...copy.begun(), made: made(['a', 'b']) }).toEqual({ workers: 2, alone: 0, made: [0, 1] });
    await leavesNothing();
  } finally {
    copy.remove();
    rmSync(meeting, { recursive: true });
  }
});

test('a worker whose socket another one has replaced does its jobs, and ends', async () => {
  const socket = await lab.socket();
  const slow = lab.apply(small('a', { memory: '2Gi' }));
  await slow.said('a: creating');
  rmSync(socket);
  expect((await lab.apply(small('b')).ended).code).toBe(0);
  expect((await slow.ended).code).toBe(0);
  expect(made(['a', 'b'])).toEqual([1, 1]);
  await leavesNothing();
});

test('a socket that a killed worker left is replaced', async () => {
  const socket = await lab.socket();
  leaveSocket(socket);
  expect(lab.files()).toHaveLength(2);
  const next = lab.apply(small('a'));
  await until(() => lab.workers().length === 1);
  expect((await next.ended).code).toBe(0);
  await leavesNothing();
});

test('a worker that leaves removes what others left that nobody comes back to', async () => {
  const socket = await lab.socket();
  leaveSocket(path.join(path.dirname(socket), '0'.repeat(24)));
  leaveSocket(`${socket}.01234567`);
  expect(lab.files()).toHaveLength(3);
  expect((await lab.apply(small('a')).ended).code).toBe(0);
  await leavesNothing();
});

test('a worker that closes on a client before it said hello is replaced', async () => {
  const socket = await lab.socket();
  mkdirSync(path.dirname(socket), { mode: 0o700 });
  const dying = createServer(client => client.destroy()).listen(socket);
  const { code, stderr } = await lab.apply(small('a')).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('begins again') });
  expect(lab.workers()).toHaveLength(1);
  dying.close();
  await leavesNothing();
});

test('where each worker dies as it starts, the client does its job itself and leaves nothing behind', async () => {
  const copy = programCopy(`process.kill(process.pid, 'SIGKILL')`);
  const { code, stderr } = await copy.start(['apply'], lab.applyEnvironment(small('a'))).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('begins again') });
  expect({ files: lab.files(), made: made(['a']), ...copy.begun() }).toEqual({
    ...{ files: [], made: [1], workers: 2, alone: 1 },
  });
  copy.remove();
});

/** It has the socket, and never says a word. */
const SILENT = `process.on('message', (which, server) => server.on('connection', () => undefined))`;

test('a worker that never says hello is ended by the client that started it, which does its job itself', async () => {
  const copy = programCopy(SILENT);
  const { code } = await copy.start(['apply'], lab.applyEnvironment(small('a'))).ended;
  expect({ code, made: made(['a']), ...copy.begun() }).toEqual({ code: 0, made: [1], workers: 1, alone: 1 });
  await leavesNothing();
  copy.remove();
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a client that gets %s while its worker starts ends, and has asked Proxmox for nothing',
  async signal => {
    const copy = programCopy(SILENT);
    const client = copy.start(['apply'], lab.applyEnvironment(small('a')));
    await until(() => copy.begun().workers === 1 && lab.files().length === 2);
    client.child.kill(signal);
    const { code } = await client.ended;
    expect({ code, asked: lab.simulator.ledger.entries().length, ...copy.begun() }).toEqual({
      ...{ code: signal === 'SIGINT' ? 130 : 143, asked: 0, workers: 1, alone: 0 },
    });
    copy.remove();
  },
);

test('a worker adds the functions that it has called to what Node made of the program', async () => {
  const home = mkdtempSync('/tmp/home-');
  try {
    expect((await start(['--version'], { HOME: home }).ended).code).toBe(0);
    const folder = path.join(home, '.cache', 'pve-reconciler');
    const sizes = (): number[] => readdirSync(folder).map(name => statSync(path.join(folder, name)).size);
    const [least = 0] = sizes();
    const ran = await start(['apply'], { ...lab.applyEnvironment(small('a')), HOME: home }).ended;
    expect({ code: ran.code, workers: lab.workers().length }).toEqual({ code: 0, workers: 1 });
    await leavesNothing();
    const [more = 0, ...others] = sizes();
    expect(others).toEqual([]);
    expect(more).toBeGreaterThan(least * 1.2);
  } finally {
    rmSync(home, { recursive: true });
  }
});
