import type { Socket } from 'node:net';

/** One call of the program, as its client was given it. */
export interface Job {
  /** The verb, then its flags. */
  words: string[];
  environment: NodeJS.ProcessEnv;
  /** All of stdin. */
  input: string;
  /** The width of the terminal that stderr is; absent when it is none. */
  columns?: number;
}

/** SIGHUP: the terminal has gone, or an SSH session was lost. */
export type InterruptName = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const NAMES: readonly InterruptName[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What a process that was interrupted ends with. */
export const EXIT_CODES: Record<InterruptName, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Calls this for each interrupt of this process, until what comes back is called. */
export function onInterrupts(interrupt: (name: InterruptName) => void): () => void {
  NAMES.forEach(name => process.on(name, interrupt));
  return () => NAMES.forEach(name => process.off(name, interrupt));
}

/** What a client says, once the worker has said hello: its job, then perhaps that it was interrupted. */
export type ToWorker = { kind: 'job'; job: Job } | { kind: 'interrupt'; name: InterruptName };

/** What the worker says: that it is there, that it is alive, what goes to the streams of the client, and at last how it ended. */
export type ToClient =
  { kind: 'hello' | 'alive' } | { kind: 'out' | 'err'; text: string } | { kind: 'end'; code: number };

/** Sends one message. The other end may be gone: then nothing happens. `sent`: called where it has left. */
export function send(socket: Socket, message: ToWorker | ToClient, sent?: () => void): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`, sent);
}

/** Only this program speaks here, the same file, as the same user: what is a message at all is one of ours. */
function messageIn<T extends ToWorker | ToClient>(line: string): T | undefined {
  try {
    const message: T | null = JSON.parse(line);
    return typeof message === 'object' && message !== null && 'kind' in message ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the messages of a connection in their order: one line of JSON each. */
export function onMessages<T extends ToWorker | ToClient>(socket: Socket, take: (message: T) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = messageIn<T>(line);
      // whoever speaks otherwise is not this program: as if nobody were there
      if (message === undefined) return void socket.destroy();
      take(message);
    }
  });
}
