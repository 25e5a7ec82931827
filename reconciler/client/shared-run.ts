import { connectWorker } from './connect';
import { converse } from './converse';
import type { InterruptName, Job } from './messages';
import { removeSocket } from './socket-file';
import { socketFor } from './socket-path';

/** The verbs that Terraform calls, once for each machine, with the flags that they may have here. */
const VERBS = new Map([
  ['observe', ['--json', '--quiet', '-q']],
  ['apply', ['--json', '--quiet', '-q']],
  ['destroy', ['--json', '--quiet', '-q']],
  ['facts', ['--json']],
]);
const READ_INPUT = ['observe', 'facts'];

/** A call that is still to be done: by this process, with what it has read from stdin already. */
export interface Undone {
  code: undefined;
  input?: string;
  hasLostWorker?: true;
  /** This process was told to stop, and its worker was lost then: it only says so. */
  interrupted?: InterruptName;
}

/** The two files of the program: the one that was started, and the one that holds the rest. */
export interface Files {
  client: string;
  program: string;
}

/** How a call ended. */
type Ending = { code: number } | Undone;

/** All the rest of the reconciler, which no client loads. */
export interface Program {
  runAlone: (words: string[], before: Undone) => Promise<void>;
  /** Serves the clients of a socket, as a worker. */
  serve: (socket: string) => void;
}

/** Whether the processes of a run may share a worker for this call. */
export function mayShare([verb = '', ...flags]: readonly string[], mode: string | undefined): boolean {
  const known = VERBS.get(verb);
  // another word is refused by the program, which needs no worker for that
  const isWanted = ['', 'shared'].includes((mode ?? '').trim().toLowerCase());
  return isWanted && flags.every(flag => known?.includes(flag)) && known !== undefined;
}

/** Lets a worker do what this process was called for. Where that cannot be, nothing was done, or it is safe to do again. */
export async function sharedRun(words: string[], { client, program }: Files): Promise<Ending> {
  const input = READ_INPUT.includes(words[0] ?? '') ? await allOfStdin() : '';
  const { isTTY, columns } = process.stderr;
  const width = isTTY && process.env['TERM'] !== 'dumb' ? { columns } : {};
  const job: Job = { words, environment: process.env, input, ...width };
  // a worker may leave just when we come, and its folder with it: then another one is started
  for (let tries = 0; tries < 2; tries += 1) {
    const socket = ifPossible(() => socketFor(job, program));
    const worker = socket && (await connectWorker(socket, client).catch(() => undefined));
    if (!worker) continue;
    const outcome = await converse(worker, job);
    if (outcome.code !== undefined) return outcome;
    const { lost, interrupted } = outcome;
    // the next client starts another one
    ifPossible(() => removeSocket(worker.file, worker.which));
    if (lost === 'amid')
      return { code: undefined, input, hasLostWorker: true, ...(interrupted && { interrupted }) };
    if (lost === 'silent') break;
  }
  return { code: undefined, input };
}

async function allOfStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined where the system refuses: a folder that is gone, a disk that is full. */
function ifPossible<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
