import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { processNamespace } from './process-namespace';

/** How long a worker may take to start, on a machine that is busy. */
export const START_MS = 10_000;
/** A lock that is older is of nobody: its process may have died, and its id be another's now. */
const STALE_MS = START_MS + 2_000;

/** The file that keeps two clients from starting a worker for one socket, or from removing it, at once. */
export const lockOf = (socket: string): string => `${socket}.lock`;

/** A link that leads nowhere: it is there or not, and says from its first moment whose it is. */
export function takeLock(lock: string): 'taken' | 'held' | 'cannot' {
  try {
    symlinkSync(ownName(process.pid), lock);
    return 'taken';
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') return 'cannot';
  }
  removeLeftLock(lock);
  return 'held';
}

/** Lets go of a lock that this process holds. */
export function releaseLock(lock: string): void {
  rmSync(lock, { force: true });
}

/** Removes a lock whose client died while it held it. */
export function removeLeftLock(lock: string): void {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (Date.now() - found.mtimeMs > STALE_MS || hasDied(holderOf(lock))) rmSync(lock, { force: true });
}

/** An id means another process in another namespace. */
function ownName(pid: number): string {
  return `${pid} ${processNamespace()}`;
}

/** Undefined where it went, is of another namespace, or is no lock of this version. */
function holderOf(lock: string): number | undefined {
  try {
    const name = readlinkSync(lock);
    const pid = Number.parseInt(name, 10);
    return name === ownName(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function hasDied(pid: number | undefined): boolean {
  try {
    return pid !== undefined && !process.kill(pid, 0);
  } catch {
    // all that enter the folder are of this user
    return true;
  }
}
