import type * as processes from 'node:child_process';
import { lstatSync, readlinkSync, rmSync, rmdirSync, symlinkSync } from 'node:fs';
import { connect as connectTo, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readByNode } from './read-by-node';

/** How long a worker may take to start, on a machine that is busy. */
const START_MS = 10_000;
/** A lock that is older is of nobody: its process may have died, and its id be another's now. */
const STALE_MS = START_MS + 2_000;
const LOOK_MS = 15;

/**
 * A connection to the worker of a socket; the first client starts it. Undefined: there is none and none can be
 * started, or what is there is no socket of ours.
 */
export async function connectWorker(socket: string, program: string): Promise<Socket | undefined> {
  const until = Date.now() + START_MS;
  const first = await dial(socket);
  if (first !== undefined) return first;
  const lock = lockOf(socket);
  while (Date.now() < until) {
    const held = takeLock(lock);
    if (held === 'cannot') return undefined;
    if (held === 'taken') {
      try {
        return await startAndDial(socket, program, until);
      } finally {
        rmSync(lock, { force: true });
      }
    }
    await sleep(LOOK_MS);
    const found = await dial(socket);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The lock is held: nobody else starts one meanwhile. */
async function startAndDial(socket: string, program: string, until: number): Promise<Socket | undefined> {
  // somebody may have started one between our look and our lock
  const there = await dial(socket);
  if (there !== undefined) return there;
  if (!removeDead(socket)) return undefined;
  const hasEnded = start(socket, program);
  while (Date.now() < until && !hasEnded()) {
    await sleep(LOOK_MS);
    const found = await dial(socket);
    if (found !== undefined) return found;
  }
  // it may have ended because another one is there
  return dial(socket);
}

/** Undefined where nobody listens. */
function dial(file: string): Promise<Socket | undefined> {
  if (!isSocketOfOurs(file)) return Promise.resolve(undefined);
  return new Promise(resolve => {
    const socket = connectTo(file);
    const refused = (): void => resolve(undefined);
    socket.once('error', refused);
    socket.once('connect', () => {
      socket.off('error', refused);
      resolve(socket);
    });
  });
}

function isSocketOfOurs(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.uid === process.geteuid?.();
}

/** Removes what a worker left that was killed, unless somebody has started another one or is about to. */
export async function removeLeft(socket: string): Promise<void> {
  const lock = lockOf(socket);
  const held = takeLock(lock);
  if (held === 'held') return;
  if (held === 'taken') {
    const there = await dial(socket);
    if (there === undefined) removeDead(socket);
    there?.destroy();
    rmSync(lock, { force: true });
  }
  // where no lock could be made, because the disk is full, the folder may have been
  removeEmpty(path.dirname(socket));
}

/** Removes a socket on which nobody listens. False: what is in its place is not ours to remove. */
function removeDead(file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return true;
  if (!isSocketOfOurs(file)) return false;
  rmSync(file, { force: true });
  return true;
}

/** What a worker leaves behind: nothing, also where the client that started it was killed meanwhile. */
export function removeTraces(socket: string): void {
  removeLeftLock(lockOf(socket));
  removeEmpty(path.dirname(socket));
}

/** Removes the folder of the sockets when none is left in it. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // somebody else's worker is in it, or it is gone
  }
}

const lockOf = (socket: string): string => `${socket}.lock`;

/** A link that leads nowhere: it is there or not, and says from its first moment whose it is. */
function takeLock(lock: string): 'taken' | 'held' | 'cannot' {
  try {
    symlinkSync(String(process.pid), lock);
    return 'taken';
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') return 'cannot';
  }
  removeLeftLock(lock);
  return 'held';
}

/** Removes a lock whose client died while it held it. */
function removeLeftLock(lock: string): void {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (Date.now() - found.mtimeMs > STALE_MS || !isAlive(holderOf(lock))) rmSync(lock, { force: true });
}

/** Undefined where it went, or is no lock of this version. */
function holderOf(lock: string): number | undefined {
  try {
    return Number(readlinkSync(lock)) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number | undefined): boolean {
  try {
    return pid === undefined || process.kill(pid, 0);
  } catch {
    // all that enter the folder are of this user
    return false;
  }
}

/** Starts a worker that outlives this process. Tells whether it has ended again. */
function start(socket: string, program: string): () => boolean {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only the first client of a run needs it
  const { spawn }: typeof processes = require('node:child_process');
  const env = readByNode(process.env);
  const child = spawn(process.execPath, [program, socket], { detached: true, stdio: 'ignore', env });
  let isOver = false;
  child.once('error', () => (isOver = true));
  child.once('exit', () => (isOver = true));
  child.unref();
  return () => isOver;
}
