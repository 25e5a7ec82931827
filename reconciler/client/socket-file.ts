import { lstatSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';

/**
 * Which socket stands at a path: another one there later is called otherwise, also where it has the same inode. Undefined
 * where none of this user stands there; a link to one is none.
 */
export function socketAt(file: string): string | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSocket() !== true || found.uid !== process.geteuid?.()) return undefined;
  return `${found.ino} ${found.ctimeMs}`;
}

/** A connection to whoever listens on a socket of ours. Undefined where nobody does. */
export function dial(file: string): Promise<Socket | undefined> {
  if (socketAt(file) === undefined) return Promise.resolve(undefined);
  return new Promise(resolve => {
    const socket = connect(file);
    const refused = (): void => resolve(undefined);
    socket.once('error', refused);
    socket.once('connect', () => {
      socket.off('error', refused);
      resolve(socket);
    });
  });
}

/** Removes a socket, and its folder where it was the last; not where another has taken its place. */
export function removeSocket(file: string, which: string | undefined): void {
  if (which !== undefined && socketAt(file) === which) rmSync(file, { force: true });
  removeEmpty(path.dirname(file));
}

/** Removes the sockets in a folder on which nobody listens: who made them was killed, maybe with its whole container. */
export async function removeDead(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const which = socketAt(file);
    const there = await dial(file);
    if (there === undefined) removeSocket(file, which);
    there?.destroy();
  }
}

/** Removes the folder of the sockets when none is left in it. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // another socket is in it, it is gone, or it may not be removed
  }
}
