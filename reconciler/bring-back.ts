import type { Action } from './action';
import { messageOf } from './errors';
import { putBack } from './machine/put-back';
import type { ObservedGuest } from './observed';
import type { Pve, TaskWait } from './pve';
import {
  PveError,
  TaskError,
  changePower,
  listActiveTasks,
  patient,
  readStatus,
  waitUntil,
  writeConfigSlowly,
} from './pve';
import type { Round } from './round';
import { sameGuest } from './same-guest';

/** How long a lock, a lost quorum or a node that is away is waited for before the guest is given up: PVE's own clean-up takes 30 s (behaviour.md §15.6). */
const LONGEST_MS = 90_000;

/**
 * The stop that a run sends to a guest that it found running. A run that then ends by an error starts the guest again;
 * where it does not start with what waited for the restart, that is put back as it was. Only what is certain to be
 * the same guest is touched, also after an interrupt.
 */
export class OurStop {
  private ran: { guest: ObservedGuest; before: ObservedGuest } | undefined;

  constructor(private readonly round: Round) {}

  /** To be called before each action. `before`: the guest as the plan saw it. */
  about(action: Action, guest: ObservedGuest | undefined, before: ObservedGuest | undefined): void {
    const stops = action.kind === 'restart' || action.kind === 'destroy';
    if (stops && guest && before?.power === 'running') this.ran ??= { guest, before };
  }

  /** To be called where the run ends by an error. Never fails itself: what it could not do, it says. */
  async undo(cause: unknown): Promise<void> {
    if (this.ran === undefined || this.round.wanted.spec.power === 'stopped') return;
    const { guest, before } = this.ran;
    const { pve, machine } = this.round;
    // an interrupt ends the run, and not what makes good for it
    const { policy, warn } = this.round.performance(guest);
    const wait: TaskWait = {
      timeoutMs: policy.shutdownMs + LONGEST_MS,
      signal: new AbortController().signal,
    };
    try {
      await untilStill(pve, guest, wait);
      const done = await started(pve, guest, before, wait);
      if (done !== undefined)
        warn(`${machine} was stopped by this run, which then failed (${messageOf(cause)}). ${done}`);
    } catch (error) {
      if (isGone(error)) return;
      warn(
        `${machine} IS OFF: this run stopped it and could not start it again: ${messageOf(error)} ` +
          `Start it by hand: qm start ${guest.vmid} on ${guest.node}.`,
      );
    }
  }
}

/** Waits until no task of the guest is left that would still stop it. */
async function untilStill(
  pve: Pve,
  { node, vmid }: ObservedGuest,
  { timeoutMs, signal }: TaskWait,
): Promise<void> {
  const look = async (): Promise<true | undefined> => {
    const tasks = await listActiveTasks(pve, node).catch(() => []);
    return tasks.some(({ id }) => id === String(vmid)) ? undefined : true;
  };
  await waitUntil(look, { rhythm: patient(pve.config.poll), until: Date.now() + timeoutMs, signal });
}

/** Starts the guest; what was done, in words. Undefined: it runs already. */
async function started(
  pve: Pve,
  guest: ObservedGuest,
  before: ObservedGuest,
  wait: TaskWait,
): Promise<string | undefined> {
  if (await runs(pve, guest, wait)) return undefined;
  if (await tryStart(pve, guest, wait)) return 'It was started again.';
  const now = await sameGuest(pve, guest);
  const { set, delete: gone, keys } = putBack(before, now.current);
  if (keys.length > 0) {
    const removed = gone.length === 0 ? {} : { delete: gone.join(',') };
    await writeConfigSlowly(pve, now, { ...set, ...removed, digest: now.digest }, wait);
  }
  await start(pve, guest, wait);
  return keys.length === 0
    ? 'It was started again.'
    : `It did not start with ${keys.join(', ')} as wanted: put back as it was, and started again.`;
}

async function tryStart(pve: Pve, guest: ObservedGuest, wait: TaskWait): Promise<boolean> {
  try {
    await start(pve, guest, wait);
    return true;
  } catch (error) {
    if (!isRefusal(error) || isGone(error)) throw error;
    return false;
  }
}

async function runs(pve: Pve, guest: ObservedGuest, wait: TaskWait): Promise<boolean> {
  const status = await lasting(() => readStatus(pve, guest), pve, wait);
  return status.status === 'running';
}

/** Identity is read directly before the start: a guest that is not ours any more is left as it is. */
async function start(pve: Pve, guest: ObservedGuest, wait: TaskWait): Promise<void> {
  await lasting(
    async () => {
      const now = await sameGuest(pve, guest);
      try {
        await changePower(pve, now, 'start', {}, wait);
      } catch (error) {
        if ((await readStatus(pve, now)).status !== 'running') throw error;
      }
      return true;
    },
    pve,
    wait,
  );
}

const TRIES = 2;

/** Does something again: while what hinders it is to pass, and once more after any other refusal. */
async function lasting<T>(work: () => Promise<T>, pve: Pve, { signal }: TaskWait): Promise<T> {
  const wait = { rhythm: patient(pve.config.poll), until: Date.now() + LONGEST_MS, signal };
  let tries = 0;
  const attempt = async (): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (isPassing(error)) return undefined;
      tries += 1;
      if (tries >= TRIES || !isRefusal(error) || isGone(error)) throw error;
      return undefined;
    }
  };
  return (await waitUntil(attempt, wait)) ?? work();
}

function isRefusal(error: unknown): error is PveError | TaskError {
  return error instanceof PveError || error instanceof TaskError;
}

const PASSING = ['locked', 'no-quorum', 'unreachable', 'unknown-outcome'];

function isPassing(error: unknown): boolean {
  return isRefusal(error) && PASSING.includes(error.kind);
}

/** Deleted, or somebody else's by now: nothing of ours is off. */
function isGone(error: unknown): boolean {
  return error instanceof PveError && (error.kind === 'not-found' || error.kind === 'changed');
}
