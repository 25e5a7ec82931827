import { lstatSync } from 'node:fs';
import { connect as connectTo, type Socket } from 'node:net';

/** How long a worker may take to say who it is, before it counts as one that stands still. */
const HELLO_MS = 500;

/** A connection to whoever listens on a socket of ours. Undefined where nobody does. */
export function dial(file: string): Promise<Socket | undefined> {
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

/**
 * Whether somebody listens on a socket, and goes on to. A worker that was killed takes connections until the last of
 * its files is closed: it closes them without a word.
 */
export async function isServed(file: string): Promise<boolean> {
  const there = await dial(file);
  if (there === undefined) return false;
  return new Promise(resolve => {
    const tell = (served: boolean): void => {
      clearTimeout(silent);
      there.destroy();
      resolve(served);
    };
    const silent = setTimeout(() => tell(true), HELLO_MS);
    there.on('error', () => undefined);
    there.once('data', () => tell(true)).once('close', () => tell(false));
  });
}

/** False as well for a link to one. */
export function isSocketOfOurs(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.uid === process.geteuid?.();
}
