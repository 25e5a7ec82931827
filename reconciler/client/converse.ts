import type { Socket } from 'node:net';
import type { InterruptName, Job, ToClient } from './messages';
import { onMessages, send } from './messages';

const EXIT_CODES: Record<InterruptName, number> = { SIGINT: 130, SIGTERM: 143 };
const TICK_MS = 1_000;
/** A worker says each second that it is alive. So many of our own seconds without a word: it hangs. */
const MOST_SILENT_TICKS = 8;

/** One job, done by a worker for this process. */
class Conversation {
  private pid: number | undefined;
  private silentTicks = 0;
  private interrupted: number | undefined;
  /** Written at the end only: what a job that is begun again would write twice must not be there before. */
  private out = '';

  constructor(
    private readonly socket: Socket,
    private readonly over: (code: number | undefined) => void,
  ) {}

  begin(job: Job): void {
    const { socket } = this;
    const watch = setInterval(this.look, TICK_MS);
    process.on('SIGINT', this.interrupt).on('SIGTERM', this.interrupt);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(watch);
      process.off('SIGINT', this.interrupt).off('SIGTERM', this.interrupt);
      this.over(this.interrupted);
    });
    onMessages<ToClient>(socket, message => this.take(message));
    send(socket, { kind: 'job', job });
  }

  private take(message: ToClient): void {
    this.silentTicks = 0;
    if (message.kind === 'hello') this.pid = message.pid;
    if (message.kind === 'out') this.out += message.text;
    if (message.kind === 'err') process.stderr.write(message.text);
    if (message.kind !== 'end') return;
    process.stdout.write(this.out);
    this.over(message.code);
    this.socket.destroy();
  }

  /** Ends a worker that hangs: it may not wake up later and go on beside what somebody else does meanwhile. */
  private readonly look = (): void => {
    this.silentTicks += 1;
    if (this.silentTicks === MOST_SILENT_TICKS && this.pid !== undefined) end(this.pid);
    // its end closes the connection; one that never said who it is cannot be ended
    if (this.silentTicks > MOST_SILENT_TICKS) this.socket.destroy();
  };

  private readonly interrupt = (name: InterruptName): void => {
    // a second one ends this at once
    if (this.interrupted !== undefined) process.exit(EXIT_CODES[name]);
    this.interrupted = EXIT_CODES[name];
    send(this.socket, { kind: 'interrupt', name });
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended just now
  }
}

/**
 * Lets the worker do a job, and writes what comes back. Gives the exit code; undefined where the worker ended or hung
 * before the job was done: nothing was written to stdout then, and nothing of the job runs on.
 */
export function converse(socket: Socket, job: Job): Promise<number | undefined> {
  return new Promise(over => new Conversation(socket, over).begin(job));
}
