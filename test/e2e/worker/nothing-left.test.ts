import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { HeldRequests } from '../../support/cluster/held-requests';
import { startFrom } from '../../support/processes/cli';
import { sharedLab, small, until, type SharedLab } from '../../support/processes/shared-lab';

let lab: SharedLab;
let held: HeldRequests;
let socket: string;
beforeEach(async () => {
  held = new HeldRequests();
  lab = await sharedLab({ before: held.before });
  socket = await lab.socket();
});
afterEach(() => lab.close());

/** The id of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

/** Puts there what a client leaves that was killed while it held the lock. */
function leaveLock(pid: number, namespace = readlinkSync('/proc/self/ns/pid')): void {
  mkdirSync(path.dirname(socket), { mode: 0o700, recursive: true });
  symlinkSync(`${pid} ${namespace}`, `${socket}.lock`);
}

/** Leaves a socket on which nobody listens. */
function leaveSocket(file: string): void {
  mkdirSync(path.dirname(file), { mode: 0o700, recursive: true });
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script, file]);
}

/** An apply that is in the midst of its work. */
async function inTheMidst() {
  const { met, release } = held.next('POST /nodes/pve1/qemu');
  const running = lab.apply(small('a'));
  await met;
  return { running, release };
}

const killWorkers = (): void => lab.workers().forEach(pid => process.kill(pid, 'SIGKILL'));

async function leavesNothing(): Promise<void> {
  await until(() => lab.workers().length === 0);
  expect(lab.files()).toEqual([]);
}

test('the lock of a client that was killed while it started a worker keeps nobody', async () => {
  leaveLock(deadPid());
  const next = lab.apply(small('a'));
  await until(() => lab.workers().length === 1);
  expect((await next.ended).code).toBe(0);
  await leavesNothing();
});

test('a worker whose client was killed before it let go of its lock leaves nothing behind', () => {
  leaveLock(deadPid());
  // as a client starts it
  spawnSync(process.execPath, [path.join(process.cwd(), 'dist', 'reconciler-program.cjs'), socket]);
  expect(lab.files()).toEqual([]);
});

test('a client whose worker is killed, with another client that held the lock, removes what both left', async () => {
  const { running, release } = await inTheMidst();
  leaveLock(deadPid());
  killWorkers();
  release();
  expect((await running.ended).code).toBe(0);
  await leavesNothing();
});

test('a client whose worker is killed waits for the lock of another that is about to die', async () => {
  const { running, release } = await inTheMidst();
  const other = spawn('sleep', ['1']);
  leaveLock(other.pid ?? 0);
  killWorkers();
  release();
  expect((await running.ended).code).toBe(0);
  await leavesNothing();
});

test('a worker that is dying, and takes connections until it is gone, is removed', async () => {
  mkdirSync(path.dirname(socket), { mode: 0o700 });
  const dying = createServer(client => client.destroy()).listen(socket);
  const { code } = await lab.apply(small('a')).ended;
  expect({ code, files: lab.files() }).toEqual({ code: 0, files: [] });
  dying.close();
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a client that gets %s while it starts a worker lets go',
  async signal => {
    const other = mkdtempSync('/tmp/version-');
    cpSync(path.join(process.cwd(), 'dist'), other, { recursive: true });
    // a worker that never listens
    const script = `require('node:fs').writeFileSync(${JSON.stringify(`${other}/pid`)}, String(process.pid)); setInterval(() => 0, 1e6);`;
    writeFileSync(path.join(other, 'reconciler-program.cjs'), script);
    const client = startFrom(path.join(other, 'reconciler.cjs'), ['apply'], lab.applyEnvironment(small('a')));
    await until(() => lab.workers().length === 1 && readPid(other) !== '');
    client.child.kill(signal);
    const { code } = await client.ended;
    process.kill(Number(readPid(other)), 'SIGKILL');
    rmSync(other, { recursive: true });
    expect({ code, files: lab.files() }).toEqual({ code: signal === 'SIGINT' ? 130 : 143, files: [] });
  },
);

function readPid(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'pid'), 'utf8');
  } catch {
    return '';
  }
}

test('a worker that leaves removes what others left that nobody comes back to', async () => {
  leaveSocket(path.join(path.dirname(socket), '0'.repeat(24)));
  expect(lab.files()).toHaveLength(2);
  expect((await lab.apply(small('a')).ended).code).toBe(0);
  await leavesNothing();
});
