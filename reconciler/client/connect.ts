import type * as processes from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { readByNode } from './read-by-node';
import { dial, removeEmpty, socketAt } from './socket-file';

/** The word that makes a worker of a client's own program. */
export const WORKER = 'worker';

/** A worker as its client sees it. */
export interface Worker {
  connection: Socket;
  /** The path of its socket, and which socket stood there. */
  file: string;
  which: string | undefined;
  /** The process, where this client has started one. */
  child?: processes.ChildProcess;
}

/**
 * A connection to the worker of a socket; who finds nobody there starts one. Undefined, or a failure: there is none, and
 * none can be started. Nothing keeps two clients from starting one each: then the last has the path, which harms nobody.
 */
export async function connectWorker(file: string, client: string): Promise<Worker | undefined> {
  const found = socketAt(file);
  const there = await dial(file);
  if (there) return { connection: there, file, which: found };
  const child = await startWorker(file, client, found);
  const which = socketAt(file);
  const connection = await dial(file);
  return connection && { connection, file, which, ...(child && { child }) };
}

/**
 * Listens, and gives the socket to a worker: who comes while that is loaded waits for it, and starts none. Undefined where
 * somebody else was faster.
 */
async function startWorker(
  file: string,
  client: string,
  dead: string | undefined,
): Promise<processes.ChildProcess | undefined> {
  const temporary = temporaryName(file);
  // whoever comes before the worker has it tries once more
  const server = createServer(early => early.destroy());
  const mask = process.umask(0o077);
  const listening = once(server.listen(temporary), 'listening');
  process.umask(mask);
  try {
    await listening;
    // closing removes the temporary one
    if (socketAt(file) !== dead) return void server.close();
    renameSync(temporary, file);
    return startWith(server, file, client);
  } catch (error) {
    server.close();
    removeEmpty(path.dirname(file));
    throw error;
  }
}

/** Another one for each client, in each container. */
const temporaryName = (file: string): string =>
  `${file}.${Math.random().toString(16).slice(2, 10).padEnd(8, '0')}`;

/** Starts a worker that outlives this process, and has nothing of it but its socket. */
function startWith(server: Server, file: string, client: string): processes.ChildProcess {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only the first client of a run needs it
  const { spawn }: typeof processes = require('node:child_process');
  const env = readByNode(process.env);
  const stdio: processes.StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];
  const child = spawn(process.execPath, [client, WORKER, file], { detached: true, stdio, env });
  // it cannot be started, or has ended already: then who came to its socket is told so by the system
  child.on('error', () => undefined);
  child.send(socketAt(file) ?? '', server, () => {
    server.close();
    child.disconnect();
  });
  child.unref();
  return child;
}
