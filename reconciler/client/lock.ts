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
  return removeLeftLock(lock) ? 'held' : 'cannot';
}

/** Lets go of a lock that this process holds. One that somebody else took meanwhile is left to him. */
export function releaseLock(lock: string): void {
  if (look(lock)?.name === ownName(process.pid)) mayRemove(lock);
}

/** Removes a lock whose client died while it held it. False: there is such a one, and it cannot be removed. */
export function removeLeftLock(lock: string): boolean {
  const found = look(lock);
  if (found === undefined) return true;
  // one of a time to come was made before the clock was set back
  if (Math.abs(Date.now() - found.madeMs) <= STALE_MS && !hasDied(holderOf(found.name))) return true;
  const now = look(lock);
  // somebody else removed it meanwhile, and this is the lock of a client that lives
  if (now === undefined || now.name !== found.name || now.madeMs !== found.madeMs) return true;
  return mayRemove(lock);
}

/** False where the system refuses: the folder may be read-only by now. */
function mayRemove(lock: string): boolean {
  try {
    rmSync(lock, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** A lock as it is now. `name`: whose it is; undefined where it is no link, and so none of this version. */
interface Found {
  name: string | undefined;
  madeMs: number;
}

function look(lock: string): Found | undefined {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  return found && { name: nameOf(lock), madeMs: found.mtimeMs };
}

function nameOf(lock: string): string | undefined {
  try {
    return readlinkSync(lock);
  } catch {
    return undefined;
  }
}

/** An id means another process in another namespace. */
function ownName(pid: number): string {
  return `${pid} ${processNamespace()}`;
}

/** Undefined where it is of another namespace, or is no lock of this version. */
function holderOf(name = ''): number | undefined {
  const pid = Number.parseInt(name, 10);
  return name === ownName(pid) ? pid : undefined;
}

function hasDied(pid: number | undefined): boolean {
  try {
    return pid !== undefined && !process.kill(pid, 0);
  } catch {
    // all that enter the folder are of this user
    return true;
  }
}
