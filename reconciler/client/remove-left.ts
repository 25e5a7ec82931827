import { lstatSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isServed, isSocketOfOurs } from './dial';
import { lockOf, releaseLock, removeLeftLock, takeLock } from './lock';

/** How long another client may hold the lock before the rest is left to it. */
const WAIT_MS = 5_000;
const LOOK_MS = 15;

/** Removes what a worker left that was killed, unless there is another one, or nothing can be removed. */
export async function removeLeft(socket: string): Promise<void> {
  const until = Date.now() + WAIT_MS;
  while (!(await hasRemoved(socket)) && Date.now() < until) await sleep(LOOK_MS);
  // where no lock could be made, because the disk is full, the folder may have been
  removeEmpty(path.dirname(socket));
}

/** False: the lock is held by somebody who may be gone at the next look. */
async function hasRemoved(socket: string): Promise<boolean> {
  const lock = lockOf(socket);
  const held = takeLock(lock);
  if (held === 'cannot') return true;
  const served = await isServed(socket);
  if (held === 'held') return served;
  if (!served) removeDead(socket);
  releaseLock(lock);
  return true;
}

/** Removes a socket on which nobody listens. False: what is in its place is not ours to remove. */
export function removeDead(file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return true;
  if (!isSocketOfOurs(file)) return false;
  rmSync(file, { force: true });
  return true;
}

/**
 * What a worker leaves behind: nothing, also where the client that started it was killed meanwhile. It removes what
 * others left too: of a container that ended with all its processes, nobody comes back.
 */
export async function removeTraces(socket: string): Promise<void> {
  removeLeftLock(lockOf(socket));
  const folder = path.dirname(socket);
  for (const other of othersIn(folder)) await hasRemoved(other);
  removeEmpty(folder);
}

/** The sockets in it, and those of which a lock alone was left. */
function othersIn(folder: string): string[] {
  const names = readdirSync(folder).map(name => name.replace(/\.lock$/, ''));
  return [...new Set(names)].filter(name => /^[0-9a-f]{24}$/.test(name)).map(name => path.join(folder, name));
}

/** Removes the folder of the sockets when none is left in it. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // somebody else's worker is in it, or it is gone
  }
}
