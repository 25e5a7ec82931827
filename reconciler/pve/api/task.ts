import * as z from 'zod';
import type { Pve, PveRequest } from '../http/client';
import { kindOfText } from '../answers/error-texts';
import { PveError, TaskError, mayLackRequest } from '../answers/errors';
import { FAILURES } from '../answers/failure-decisions';
import { TaskId, parseUpid } from '../answers/upid';
import { follow } from './tell-task-percent';
import { readTaskLog, taskPath } from './task-log';
import { tasksTogether, type WaitedTask } from './tasks-together';

/** Proxmox says running or stopped; other servers name the end in both places. */
const Status = z
  .object({ status: z.string(), exitstatus: z.string().nullish() })
  .refine(({ status, exitstatus }) => ['running', 'stopped'].includes(status) || exitstatus, {
    path: ['status'],
    message: 'expected running or stopped',
  });

export interface TaskWait {
  /** When to give up looking; the task itself goes on. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Called once Proxmox has taken the request. */
  accepted?: () => void;
  /** Told once where a look brings no answer, and until when, as of `performance.now`, it is looked again. */
  unseen?: ((error: PveError, until: number) => void) | undefined;
  /** Told now and then how much of a long copy is done, at the cost of reading its log; absent: nobody looks. */
  percent?: ((percent: number) => void) | undefined;
}

export interface TaskEnd {
  /** Absent: Proxmox was done before it needed a task. */
  type?: string;
  /** How many warnings Proxmox counted; they are success. */
  warnings: number;
}

type Work = Omit<PveRequest<unknown>, 'answer'>;

/** Sends a request that Proxmox does as a task, and waits for its end. An answer without the task's id proves nothing. */
export async function asTask(pve: Pve, work: Work, wait: TaskWait): Promise<TaskEnd> {
  const upid = await pve.call({ ...work, answer: TaskId });
  wait.accepted?.();
  return waitForTask(pve, upid, wait);
}

/** The same for a request that is done without a task when it is quick: null is its end then. */
export async function asTaskIfSlow(pve: Pve, work: Work, wait: TaskWait): Promise<TaskEnd> {
  const upid = await pve.call({ ...work, answer: TaskId.nullable() });
  return upid === null ? { warnings: 0 } : waitForTask(pve, upid, wait);
}

/** Waits for a task's end. Fails with `TaskError` when it did not end well. */
export async function waitForTask(
  pve: Pve,
  upid: string,
  { timeoutMs, signal, percent, unseen }: TaskWait,
): Promise<TaskEnd> {
  let isTold = false;
  const began = performance.now();
  const until = began + timeoutMs;
  const path = taskPath(upid);
  const together = tasksTogether(pve);
  const following = percent && follow(pve, upid, percent);
  const task: WaitedTask = { upid, began, until, signal, seenAt: began, seen: following?.looked };
  const failed = (error: PveError): void => {
    if (!isTold) unseen?.(error, until);
    isTold = true;
  };
  const looking = { path, signal, failed, untold: 0 };
  try {
    do {
      await together.untilDue(pve, task);
      signal?.throwIfAborted();
      const exitStatus = await look(pve, looking);
      if (exitStatus !== undefined) {
        together.ended(task);
        return await outcome(pve, upid, exitStatus);
      }
      task.seenAt = performance.now();
      task.seen?.(task.seenAt - began);
    } while (task.seenAt < until);
  } finally {
    following?.end();
  }
  const text = `task ${upid} still runs after ${Math.round(timeoutMs / 1000)} s`;
  throw new PveError('unknown-outcome', { method: 'GET', path, text });
}

/** So often in a row a server without the request says so; a proxy before Proxmox may say it once. */
const MOST_UNTOLD = 3;

interface Looking {
  path: string;
  signal: AbortSignal | undefined;
  failed: (error: PveError) => void;
  /** How often in a row the server had no such request. */
  untold: number;
}

/** The exit status, or undefined while it runs or nobody can tell. */
async function look(pve: Pve, looking: Looking): Promise<string | undefined> {
  const { path, signal, failed } = looking;
  try {
    const request = { method: 'GET', path: `${path}/status`, answer: Status } as const;
    const status = await pve.call({ ...request, ...(signal ? { signal } : {}) });
    looking.untold = 0;
    return status.status === 'running' ? undefined : status.exitstatus || 'unexpected status';
  } catch (error) {
    if (mayLackRequest(error)) {
      looking.untold += 1;
      // its end is seen in what it did, or nowhere
      if (looking.untold >= MOST_UNTOLD) throw untold(error);
      return undefined;
    }
    looking.untold = 0;
    if (!(error instanceof PveError) || FAILURES[error.kind].look === 'end') throw error;
    failed(error);
    return undefined;
  }
}

function untold({ facts }: PveError): PveError {
  const text = `${facts.text}: the server does not tell whether the task has ended`;
  return new PveError('unknown-outcome', { ...facts, text });
}

async function outcome(pve: Pve, upid: string, exitStatus: string): Promise<TaskEnd> {
  const { type } = parseUpid(upid);
  if (exitStatus === 'OK') return { type, warnings: 0 };
  const warnings = /^WARNINGS: (\d+)$/.exec(exitStatus);
  if (warnings) return { type, warnings: Number(warnings[1]) };
  // the worker died: what it did is unknown
  const kind = exitStatus === 'unexpected status' ? 'unknown-outcome' : (kindOfText(exitStatus) ?? 'failed');
  const end = pve.masked(exitStatus);
  // the task's own failure matters more than a log that cannot be read
  const lines = await readTaskLog(pve, upid, { limit: 0 }).catch((): string[] => []);
  // PVE: a task's log ends with how the task ended, which the error says itself
  const log = lines.slice(-5).filter(line => line !== `TASK ERROR: ${end}`);
  throw new TaskError(kind, { upid, node: parseUpid(upid).node, exitStatus: end, log });
}
