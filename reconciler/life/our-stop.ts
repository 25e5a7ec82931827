import { type Action, startsGuest } from '../action';
import { InterruptedError, messageOf } from '../errors';
import { startGuest } from '../apply/change-power';
import { actionContext } from './action-context';
import { putBack } from './put-back';
import { span } from '../waits/notice';
import type { ObservedGuest } from '../observed';
import type { Pve, TaskWait } from '../pve';
import {
  PveError,
  isFailure,
  listActiveTasks,
  listResources,
  onFailure,
  patient,
  readStatus,
  waitUntil,
  writeConfigSlowly,
} from '../pve';
import { sameMark } from '../mark/mark';
import type { MachineRun } from './machine-run';
import { changesGuest } from '../waits/running-task';
import { sameMachine } from '../observe/same-guest';
import { HaTooLateError } from '../waits/wait-for-ha';

/** How long a lock, a lost quorum or a node that is away is waited for before the guest is given up: PVE's own clean-up takes 30 s (behaviour.md §15.6). */
const LONGEST_MS = 90_000;

/** A wait that is shorter is not worth a line. */
const SILENT_MS = 2_000;

/** A guest to be started again, and the moment until which that is tried. */
interface Effort {
  pve: Pve;
  /** As it was read directly before our stop: what it ran with, and what waited. */
  ran: ObservedGuest;
  until: number;
}

/**
 * The stop that a run sends to a guest that it found running. A run that then ends by an error starts the guest again;
 * where it does not start with what waited for the restart, that is put back as it was. Only what is certain to be
 * the same guest is touched, also after an interrupt.
 */
export class OurStop {
  private ran: ObservedGuest | undefined;

  constructor(private readonly machine: MachineRun) {}

  /** To be called directly before each stop, with the guest as it was just read. */
  readonly begins = (guest: ObservedGuest): void => {
    if (guest.power !== 'running' || this.machine.wanted.spec.power === 'stopped') return;
    const { ran } = this;
    // what it ran with is what was read before the first stop; what waits may have become more since
    this.ran = ran ? { ...ran, pending: { ...guest.pending, ...ran.pending } } : guest;
    this.tell(true);
  };

  /** To be called after each action that went well. From then on, whoever stops the guest is not this run. */
  wentWell(action: Action): void {
    const runs = startsGuest(action);
    const resumes = action.kind === 'roll-back' && action.resumes;
    if (resumes || (runs && this.ran !== undefined)) this.machine.qmCleanup.begins();
    if (runs || resumes || action.kind === 'destroy') this.isOver();
  }

  /** To be called where the run ends by an error. Never fails itself: what it could not do, it says. */
  async undo(): Promise<void> {
    if (this.ran === undefined) return;
    const { ran, machine } = this;
    const { warn } = machine.reporting;
    const isInterrupted = machine.signal.aborted;
    const leftMs = msLeft(machine.signal);
    const allowedMs = Math.min(actionContext(machine, ran).policy.shutdownMs + LONGEST_MS, leftMs);
    // why it ended is reported as the failure itself
    const ended = isInterrupted ? 'was interrupted' : 'failed';
    const why = `${machine.id} was stopped by this run, which then ${ended}.`;
    if (leftMs === 0) {
      warn(`${why} The next run starts it.`);
      return this.isOver();
    }
    const wait = `${why} It is started again as soon as its running tasks have ended: waits at most ${span(allowedMs)}.`;
    const then = Number.isFinite(leftMs) ? ' After that the next run starts it.' : '';
    if (isInterrupted) warn(`${wait}${then} A second interrupt ends this at once.`);
    const notice = setTimeout(() => isInterrupted || warn(wait), SILENT_MS);
    // an interrupt ends the run, and not what makes good for it
    const effort = { pve: machine.run.lastingPve, ran, until: performance.now() + allowedMs };
    try {
      await untilStill(effort);
      const done = await started(effort);
      if (done !== undefined) warn(`${why} ${done}`);
    } catch (error) {
      if (isGone(error)) return this.tellOfMoved(ran, warn);
      if (msLeft(machine.signal) === 0) return warn(`${why} The next run starts it.`);
      warn(
        `${machine.id} IS OFF: this run stopped it and could not start it again: ${messageOf(error)} ` +
          (await howToStart(effort)),
      );
    } finally {
      clearTimeout(notice);
      this.isOver();
    }
  }

  /** HA or somebody may have moved it to another node meanwhile; what was deleted is nobody's to start. */
  private async tellOfMoved(ran: ObservedGuest, warn: (text: string) => void): Promise<void> {
    const { vmid, node } = ran;
    const pve = this.machine.run.lastingPve;
    const { guests } = await listResources(pve).catch(() => ({ guests: [] }));
    const moved = guests.find(each => each.vmid === vmid && each.node !== node);
    if (moved === undefined || moved.status === 'running') return;
    // another guest has its number
    if (!(await sameMachine(pve, { ...ran, node: moved.node }).catch(() => undefined))) return;
    warn(
      `${this.machine.id} IS OFF: this run stopped it, and it is on ${moved.node} now. Look why, and start it: ` +
        `qm start ${vmid} on ${moved.node}.`,
    );
  }

  /** To be called where nothing is left to make good for. */
  isOver(): void {
    if (this.ran !== undefined) this.tell(false);
    this.ran = undefined;
  }

  private tell(must: boolean): void {
    this.machine.run.report({ kind: 'must-start', machine: this.machine.id, must });
  }
}

/** How long an interrupted process goes on; one that was not may take all its time. */
function msLeft({ reason }: AbortSignal): number {
  return reason instanceof InterruptedError ? (reason.withinMs ?? Infinity) : Infinity;
}

/** Waits until no task of the guest is left that would still stop it. */
async function untilStill({ pve, ran: { node, vmid }, until }: Effort): Promise<void> {
  const look = async (): Promise<true | undefined> => {
    try {
      const tasks = await listActiveTasks(pve, node);
      return tasks.some(task => changesGuest(task, vmid)) ? undefined : true;
    } catch (error) {
      return isPassing(error) ? undefined : true;
    }
  };
  await waitUntil(look, { pauses: patient(pve.config.poll), until });
}

/** Starts the guest; what was done, in words. Undefined: it runs already. */
async function started(effort: Effort): Promise<string | undefined> {
  if (await runs(effort)) return undefined;
  if (await tryStart(effort)) return 'It was started again.';
  const { pve, ran } = effort;
  const now = await sameMachine(pve, ran);
  const { set, delete: gone, keys } = putBack(ran, now.current);
  if (keys.length > 0) {
    const removed = gone.length === 0 ? {} : { delete: gone.join(',') };
    const params = { ...set, ...removed, ...markBefore(ran, now), digest: now.digest };
    await writeConfigSlowly(pve, now, params, rest(effort));
  }
  await start(effort);
  return keys.length === 0
    ? 'It was started again.'
    : `It did not start with ${keys.join(', ')} as wanted: put back as it was, and started again.`;
}

/** The mark of the devices that come back, where a restart took it away while the guest was off. People's text stays. */
function markBefore(ran: ObservedGuest, now: ObservedGuest): { description?: string } {
  const { description } = ran.current;
  const isMarked = description !== undefined && !sameMark(ran.mark, now.mark);
  return isMarked && ran.description === now.description ? { description } : {};
}

/** PVE: what HA has given up does not start until it was disabled (API2/HA/Resources.pm). */
async function howToStart({ pve, ran: { vmid, node } }: Effort): Promise<string> {
  const { ha } = await readStatus(pve, { vmid, node }).catch(() => ({ ha: undefined }));
  return ha?.state === 'error'
    ? `Find out why; then: ha-manager set vm:${vmid} --state disabled, and ha-manager set vm:${vmid} --state started.`
    : `Start it by hand: qm start ${vmid} on ${node}.`;
}

async function tryStart(effort: Effort): Promise<boolean> {
  try {
    await start(effort);
    return true;
  } catch (error) {
    // HA is slow, or busy elsewhere: that says nothing of what the guest starts with
    if (!isFailure(error) || isGone(error) || error instanceof HaTooLateError) throw error;
    return false;
  }
}

async function runs(effort: Effort): Promise<boolean> {
  const status = await lasting(effort, () => readStatus(effort.pve, effort.ran));
  return status.status === 'running';
}

/** Identity is read directly before the start: a guest that is not ours any more is left as it is. */
async function start(effort: Effort): Promise<void> {
  const { pve, ran } = effort;
  let isSent = false;
  await lasting(effort, async () => {
    // a start whose answer was lost, or could not be read, may still be at work
    if (isSent) await untilStill(effort);
    const now = await sameMachine(pve, ran);
    if (isSent && (await runs(effort))) return true;
    isSent = true;
    try {
      await startGuest(pve, now, rest(effort));
    } catch (error) {
      if ((await readStatus(pve, now)).status !== 'running') throw error;
    }
    return true;
  });
}

const SHORTEST_MS = 1_000;

/** The time that is left for a task. */
function rest({ until }: Effort): TaskWait {
  return { timeoutMs: Math.max(SHORTEST_MS, until - performance.now()) };
}

const TRIES = 2;

/** Does something again: while what hinders it is to pass, and once more after any other refusal. */
async function lasting<T>({ pve, until }: Effort, work: () => Promise<T>): Promise<T> {
  let tries = 0;
  const attempt = async (): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (isPassing(error)) return undefined;
      tries += 1;
      if (tries >= TRIES || !isFailure(error) || isGone(error)) throw error;
      return undefined;
    }
  };
  return (await waitUntil(attempt, { pauses: patient(pve.config.poll), until })) ?? work();
}

function isPassing(error: unknown): boolean {
  const next = onFailure(error, 'change');
  return next === 'wait' || next === 'wait-for-lock' || next === 'find-out';
}

/** Deleted, or somebody else's by now: nothing of ours is off. */
function isGone(error: unknown): boolean {
  return error instanceof PveError && (error.kind === 'not-found' || error.kind === 'changed');
}
