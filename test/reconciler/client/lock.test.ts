import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { releaseLock, removeLeftLock, takeLock } from '../../../reconciler/client/lock';
import { processNamespace } from '../../../reconciler/client/process-namespace';

let lock: string;
beforeEach(() => {
  lock = path.join(mkdtempSync(path.join(tmpdir(), 'lock-')), 'socket.lock');
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(path.dirname(lock), { recursive: true });
});

/** The id of a process that has ended. */
const ended = (): number =>
  Number(execFileSync(process.execPath, ['-e', 'process.stdout.write(String(process.pid))']));
const nameOf = (pid: number): string => `${pid} ${processNamespace()}`;

/** Another client, which lives: it removes the lock that is there, and takes its own. */
function takeAsAnother(): string {
  const name = nameOf(process.ppid);
  rmSync(lock, { force: true });
  symlinkSync(name, lock);
  return name;
}

test('a lock that a client left is removed', () => {
  symlinkSync(nameOf(ended()), lock);
  removeLeftLock(lock);
  expect(takeLock(lock)).toBe('taken');
  releaseLock(lock);
  expect(takeLock(lock)).toBe('taken');
});

test('one that cannot be removed lets nobody wait for it', () => {
  mkdirSync(lock);
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  expect(takeLock(lock)).toBe('cannot');
});

test('one that another client took while the former one was judged stays', () => {
  symlinkSync(nameOf(ended()), lock);
  const kill = process.kill.bind(process);
  let other = '';
  jest.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    other = takeAsAnother();
    return kill(pid, signal);
  });
  removeLeftLock(lock);
  expect(other).not.toBe('');
  expect(readlinkSync(lock)).toBe(other);
});

test('a client that lost its lock to another one does not release that', () => {
  expect(takeLock(lock)).toBe('taken');
  const other = takeAsAnother();
  releaseLock(lock);
  expect(readlinkSync(lock)).toBe(other);
});
