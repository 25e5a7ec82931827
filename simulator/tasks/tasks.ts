import type { Clock } from '../clock';
import type { Defects } from '../defects';
import { Failure } from '../failure';
import type { Random } from '../random';
import { describeFailure } from '../perl-text';
import type { Task, TaskContext, TaskRequest } from './task';
import { usualMs } from './durations';

/** What a worker dies of when somebody stops its task. */
export const INTERRUPTED = 'received interrupt';

type Work = (task: TaskContext) => Promise<void> | void;

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');

/** PVE: how a worker ended that could not say so. */
export const DIED = 'unexpected status';

/** The workers of all nodes: starts them, keeps their history, stops them. */
export class Tasks {
  private readonly tasks = new Map<string, Task>();
  private readonly interrupts = new Map<string, (why: Failure) => void>();
  private readonly endings = new Map<string, Promise<void>>();
  private nextPid: number;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly defects: Defects,
    private readonly taskMs: number | undefined,
  ) {
    this.nextPid = 1000 + random.below(9000);
  }

  /** Starts a worker and returns its UPID at once. What the work throws becomes the exit status. */
  start(request: TaskRequest, work: Work): string {
    const task = this.begin(request);
    this.tasks.set(task.upid, task);
    this.endings.set(task.upid, this.run(task, work));
    return task.upid;
  }

  find(upid: string): Task | undefined {
    return this.tasks.get(upid);
  }

  all(): Task[] {
    return [...this.tasks.values()];
  }

  /** Interrupts a running worker; does nothing to one that has ended. */
  stop(upid: string): void {
    this.interrupts.get(upid)?.(new Failure(500, INTERRUPTED));
  }

  /** Ends every worker of a node at once, as a power cut does: nobody writes down how they ended. */
  die(node: string): void {
    for (const { upid } of this.tasks.values()) {
      if (this.find(upid)?.node === node) this.interrupts.get(upid)?.(new Failure(500, DIED));
    }
  }

  /** Resolves when the worker has ended; at once when it has, or never was. */
  ended(upid: string): Promise<void> {
    return this.endings.get(upid) ?? Promise.resolve();
  }

  /** Takes back the history of an earlier run. What ran then has died since. */
  restore(tasks: Task[]): void {
    for (const task of tasks) {
      const ended = task.status === 'stopped' ? task : { ...task, status: 'stopped', exitstatus: DIED };
      this.tasks.set(task.upid, { endtime: task.starttime, ...ended, status: 'stopped' });
    }
  }

  /** Stops what runs and forgets all history. */
  clear(): void {
    for (const upid of this.interrupts.keys()) this.stop(upid);
    this.tasks.clear();
  }

  private begin({ type, id, node, user }: TaskRequest): Task {
    this.nextPid += 1 + this.random.below(7);
    const pid = this.nextPid;
    const starttime = Math.floor(this.clock.now() / 1000);
    const pstart = Math.floor(this.clock.now() / 10) % 0xffffffff;
    const upid = `UPID:${node}:${hex(pid, 8)}:${hex(pstart, 8)}:${hex(starttime, 8)}:${type}:${id}:${user}:`;
    const [owner = user, tokenid] = user.split('!');
    const token = tokenid === undefined ? {} : { tokenid };
    return {
      upid,
      node,
      pid,
      pstart,
      starttime,
      type,
      id,
      user: owner,
      ...token,
      status: 'running',
      log: [],
    };
  }

  private async run(task: Task, work: Work): Promise<void> {
    let warnings = 0;
    const pause = this.interruptible(task.upid);
    const usual = this.taskMs ?? usualMs(task.type);
    const context: TaskContext = {
      upid: task.upid,
      usualMs: usual,
      log: line => task.log.push(line),
      warn: text => {
        warnings += 1;
        task.log.push(`WARN: ${text}`);
      },
      work: pause,
      workUsual: (share = 1) => pause(usual * share),
    };
    try {
      await work(context);
      task.exitstatus = warnings > 0 ? `WARNINGS: ${warnings}` : 'OK';
      task.log.push(`TASK ${task.exitstatus}`);
    } catch (error) {
      const text = this.textOf(error);
      task.exitstatus = text;
      if (text !== DIED) task.log.push(`TASK ERROR: ${text}`);
    } finally {
      task.status = 'stopped';
      task.endtime = Math.floor(this.clock.now() / 1000);
      this.interrupts.delete(task.upid);
      this.endings.delete(task.upid);
    }
  }

  private textOf(error: unknown): string {
    // PVE: one line end goes, the others become blanks
    if (error instanceof Failure) return describeFailure(error).slice(0, -1).replaceAll('\n', ' ');
    return this.defects.note(error).replaceAll('\n', ' ');
  }

  /** A sleep that rejects when the task is stopped. */
  private interruptible(upid: string): (ms: number) => Promise<void> {
    const interrupted = new Promise<never>((_, reject) => {
      this.interrupts.set(upid, reject);
    });
    interrupted.catch(() => undefined);
    return ms => Promise.race([this.clock.sleep(ms), interrupted]);
  }
}
