import type { Worker } from './connect';
import {
  EXIT_CODES,
  onInterrupts,
  onMessages,
  send,
  type InterruptName,
  type Job,
  type ToClient,
} from './messages';

const TICK_MS = 1_000;
/**
 * A worker says each second that it is alive. So many of our own seconds without a word: it hangs. One that wakes up
 * later has ended itself by then, or does so (worker/serve.ts).
 */
const MOST_SILENT_TICKS = 10;
/** How long a second interrupt may take to leave this process. */
const LEAVE_MS = 500;

/**
 * How a job ended: with an exit code, or the worker was lost before. `lost`: it closed the connection before it had the
 * job, said nothing and so had no job either, or had it. `interrupted`: after the client was told to stop.
 */
export type Outcome =
  { code: number } | { code: undefined; lost: 'before' | 'silent' | 'amid'; interrupted?: InterruptName };

/** One job, done by a worker for this process. */
class Conversation {
  private lost: 'before' | 'silent' | 'amid' = 'before';
  private silentTicks = 0;
  private interrupted: InterruptName | undefined;
  /** Written at the end only: what a job that is begun again would write twice must not be there before. */
  private out = '';

  constructor(
    private readonly worker: Worker,
    private readonly job: Job,
    private readonly over: (outcome: Outcome) => void,
  ) {}

  begin(): void {
    const { connection } = this.worker;
    const watch = setInterval(this.look, TICK_MS);
    const stop = onInterrupts(this.interrupt);
    connection.on('error', () => undefined);
    connection.once('close', () => {
      clearInterval(watch);
      // an interrupt that came together with the end is heard first
      setImmediate(() => {
        stop();
        this.over({
          code: undefined,
          lost: this.lost,
          ...(this.interrupted && { interrupted: this.interrupted }),
        });
      });
    });
    onMessages<ToClient>(connection, message => this.take(message));
  }

  /** A worker gets its job only now: one that was stopped before would do it when it goes on, whatever is done meanwhile. */
  private greeted(): void {
    this.lost = 'amid';
    send(this.worker.connection, { kind: 'job', job: this.job });
  }

  private take(message: ToClient): void {
    this.silentTicks = 0;
    if (message.kind === 'hello') this.greeted();
    if (message.kind === 'out') this.out += message.text;
    if (message.kind === 'err') process.stderr.write(message.text);
    if (message.kind !== 'end') return;
    process.stdout.write(this.out);
    this.leave(message.code);
  }

  private leave(code: number): void {
    this.over({ code });
    this.worker.connection.destroy();
  }

  /** Leaves a worker that hangs, and ends it where it is a process of ours. */
  private readonly look = (): void => {
    this.silentTicks += 1;
    if (this.silentTicks < MOST_SILENT_TICKS) return;
    if (this.lost === 'before') this.lost = 'silent';
    this.worker.child?.kill('SIGKILL');
    this.worker.connection.destroy();
  };

  private readonly interrupt = (name: InterruptName): void => {
    const code = EXIT_CODES[name];
    const isSecond = this.interrupted !== undefined;
    // a lost session may tell of itself more than once
    if (isSecond && name === 'SIGHUP') return;
    this.interrupted = name;
    // nothing was begun
    if (this.lost !== 'amid') return this.leave(code);
    // a second one ends this at once
    const exit = (): never => process.exit(code);
    send(this.worker.connection, { kind: 'interrupt', name }, isSecond ? exit : undefined);
    if (isSecond) setTimeout(exit, LEAVE_MS);
  };
}

/**
 * Lets the worker do a job, and writes what comes back. Gives no exit code where the worker ended or hung before the job
 * was done: nothing was written to stdout then, and it sends nothing more to Proxmox.
 */
export function converse(worker: Worker, job: Job): Promise<Outcome> {
  return new Promise(over => new Conversation(worker, job, over).begin());
}
