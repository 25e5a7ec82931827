import type { Pve } from '../http/client';
import type { PveConfig } from '../http/pve-config';
import { eager, pause, pauseAfter } from '../http/pauses';
import { parseUpid } from '../answers/upid';
import { listActiveTasks } from './node-tasks';
import { UsualTimes } from './usual-times';

/** A task that is waited for. Moments are as of `performance.now`. */
export interface WaitedTask {
  readonly upid: string;
  readonly began: number;
  readonly until: number;
  readonly signal: AbortSignal | undefined;
  /** When it was last seen to run. */
  seenAt: number;
  /** Told each time it is seen to run, with how long it has been waited for. */
  readonly seen?: ((elapsedMs: number) => void) | undefined;
}

/** So many readings in a row are believed that say a task runs: the list of a node may lag behind its end. */
const MOST_BELIEVED = 4;
/** So often in a row a list may lack a task that runs; then it is not read for a while. */
const MOST_UNTRUE = 3;
/** The same for one that brings no answer. */
const UNREAD_MS = 30_000;
const ANSWER_MS = 1_000;

const connections = new WeakMap<PveConfig, TasksTogether>();

/** The tasks that are waited for on a connection. */
export function tasksTogether(pve: Pve): TasksTogether {
  const known = connections.get(pve.config) ?? new TasksTogether(pve.config.poll);
  connections.set(pve.config, known);
  return known;
}

/**
 * Follows the tasks of a connection together: one reading of a node's list tells of all that still run there. What a list
 * does not have is asked itself, so nothing is ended by a list. A task that is alone on its node is asked after each pause.
 */
class TasksTogether {
  private readonly nodes = new Map<string, NodeTasks>();
  private readonly usual = new UsualTimes();

  constructor(private readonly poll: PveConfig['poll']) {}

  /** Waits until a task has to be asked itself whether it has ended. */
  async untilDue(pve: Pve, task: WaitedTask): Promise<void> {
    const { node, type } = parseUpid(task.upid);
    const tasks = this.nodes.get(node) ?? new NodeTasks(node);
    this.nodes.set(node, tasks);
    const shortest = this.usual.shortest(type);
    const rest = (ms: number): Promise<void> =>
      pause(Math.min(ms, task.until - performance.now()), task.signal);
    const { floorMs, ceilingMs } = this.poll;
    const isFirst = task.seenAt === task.began;
    // by then its end is likely, and a list would only be one reading more
    if (isFirst && shortest !== undefined) return rest(Math.min(Math.max(shortest, floorMs), ceilingMs));
    const pauses = eager(this.poll);
    const apart = shortest === undefined ? pauses : { ...pauses, floorMs };
    await tasks.among(task, async () => {
      for (let readings = 0; readings < MOST_BELIEVED; readings += 1) {
        const ranMs = task.seenAt - task.began;
        await rest(ranMs === 0 ? floorMs : pauseAfter(ranMs, apart));
        if (performance.now() >= task.until || !(await tasks.tellRunning(pve, task))) return;
      }
    });
  }

  /** To be called once a task was seen to have ended. */
  ended({ upid, began, seenAt }: WaitedTask): void {
    this.usual.ended(parseUpid(upid).type, { ranMs: seenAt - began, endedMs: performance.now() - began });
  }
}

/** The tasks of one node that are waited for, as its list tells them. */
class NodeTasks {
  private readonly waiting = new Set<WaitedTask>();
  private last = { at: 0, upids: new Set<string>() };
  private reading: Promise<void> | undefined;
  /** What the list lacked when it was last read: it has ended, or the list is wrong. */
  private readonly lacked = new WeakSet<WaitedTask>();
  private untrue = 0;
  private unreadUntil = 0;

  constructor(private readonly node: string) {}

  /** Waits for a task as one of those that wait. */
  async among(task: WaitedTask, wait: () => Promise<void>): Promise<void> {
    if (this.lacked.delete(task)) this.wasUntrue();
    this.waiting.add(task);
    await wait().finally(() => this.waiting.delete(task));
  }

  /** Whether the list says that it runs. One that is alone is better asked itself. */
  async tellRunning(pve: Pve, task: WaitedTask): Promise<boolean> {
    if (this.waiting.size === 1 || performance.now() < this.unreadUntil) return false;
    if (this.last.at <= task.seenAt) await this.read(pve, task);
    if (!this.last.upids.has(task.upid)) {
      this.lacked.add(task);
      return false;
    }
    this.untrue = 0;
    task.seenAt = this.last.at;
    task.seen?.(task.seenAt - task.began);
    return true;
  }

  private wasUntrue(): void {
    this.untrue += 1;
    if (this.untrue >= MOST_UNTRUE) this.isUseless();
  }

  private isUseless(): void {
    this.untrue = 0;
    this.unreadUntil = performance.now() + UNREAD_MS;
  }

  /** Reads the list, once for all who wait for it. */
  private read(pve: Pve, { signal }: WaitedTask): Promise<void> {
    this.reading ??= this.readNow(pve, signal).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readNow(pve: Pve, signal: AbortSignal | undefined): Promise<void> {
    const at = performance.now();
    try {
      const tasks = await listActiveTasks(pve, this.node, { once: true, timeoutMs: ANSWER_MS });
      this.last = { at, upids: new Set(tasks.map(({ upid }) => upid)) };
    } catch {
      this.last = { at, upids: new Set() };
      // an interrupt of the run that reads says nothing of the list
      if (signal?.aborted !== true) this.isUseless();
    }
  }
}
