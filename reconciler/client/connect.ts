import type * as processes from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { dial } from './dial';
import { removeDead } from './remove-left';
import { lockOf, releaseLock, START_MS, takeLock } from './lock';
import { readByNode } from './read-by-node';

const LOOK_MS = 15;

/**
 * A connection to the worker of a socket; the first client starts it. Undefined: there is none and none can be
 * started, what is there is no socket of ours, or the wait for it was ended.
 */
export async function connectWorker(
  socket: string,
  program: string,
  ended: AbortSignal,
): Promise<Socket | undefined> {
  const until = Date.now() + START_MS;
  const mayWait = (): boolean => Date.now() < until && !ended.aborted;
  const first = await dial(socket);
  if (first !== undefined) return first;
  const lock = lockOf(socket);
  while (mayWait()) {
    const held = takeLock(lock);
    if (held === 'cannot') return undefined;
    if (held === 'taken') {
      try {
        return await startAndDial(socket, program, mayWait);
      } finally {
        releaseLock(lock);
      }
    }
    await sleep(LOOK_MS);
    const found = await dial(socket);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The lock is held: nobody else starts one meanwhile. */
async function startAndDial(
  socket: string,
  program: string,
  mayWait: () => boolean,
): Promise<Socket | undefined> {
  // somebody may have started one between our look and our lock
  const there = await dial(socket);
  if (there !== undefined) return there;
  if (!mayWait() || !removeDead(socket)) return undefined;
  const hasEnded = start(socket, program);
  while (mayWait() && !hasEnded()) {
    await sleep(LOOK_MS);
    const found = await dial(socket);
    if (found !== undefined) return found;
  }
  // it may have ended because another one is there
  return dial(socket);
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
