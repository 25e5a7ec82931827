import { setTimeout as sleep } from 'node:timers/promises';
import type { Action } from './action';
import type { ObservedMachine } from './observed';
import type { PveErrorKind } from './pve';
import { PveError, TaskError, listActiveTasks } from './pve';
import type { Round } from './round';

/** What to do after an action failed, by the kind of the failure. Kinds that are not here end the run. */
const AFTER: Partial<Record<PveErrorKind, 'read' | 'wait' | 'wait-for-lock' | 'other-id' | 'find-out'>> = {
  // somebody wrote in between: read again, our values win
  changed: 'read',
  // moved to another node, or gone
  'not-found': 'read',
  locked: 'wait-for-lock',
  'no-quorum': 'wait',
  unreachable: 'wait',
  'already-exists': 'other-id',
  'unknown-outcome': 'find-out',
};

const FIRST_PAUSE_MS = 400;
/** Proxmox has waited for a lock file itself, a second and longer, before it refuses. */
const FIRST_LOCK_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Reads what a failed action left, so that the machine can be planned again. Nothing is sent twice: what is done is
 * seen, what is not done is planned anew. Throws the failure itself when reading again cannot help, or time is up.
 */
export async function aftermath(round: Round, action: Action, error: unknown): Promise<ObservedMachine> {
  const kind = kindOf(error);
  const next = kind && AFTER[kind];
  if (next === undefined) return orDone(round, action, error);
  if (round.timeIsUp()) throw error;
  round.disturbed(error);
  if (next === 'other-id' && !round.loseId(action)) return unlessAbsent(round, error);
  if (next === 'wait-for-lock') return afterLock(round, action);
  if (next === 'find-out') await untilQuiet(round, action);
  if (next === 'wait') await rest(round, FIRST_PAUSE_MS);
  return round.observeAnew();
}

/**
 * Whose lock file it was is not told: the id's, because somebody is making a guest with it, or that of the guest
 * that is worked on. The listing tells. An id that is lost needs no wait.
 */
async function afterLock(round: Round, action: Action): Promise<ObservedMachine> {
  const have = await round.observeAnew();
  if (have.kind === 'absent' && round.isTaken(action) && round.loseId(action)) return have;
  await rest(round, FIRST_LOCK_PAUSE_MS);
  return round.observeAnew();
}

/** A given id is taken: by this very machine, or by somebody else, who is then named in a refusal. */
async function unlessAbsent(round: Round, error: unknown): Promise<ObservedMachine> {
  const have = await round.observeAnew();
  if (have.kind === 'absent') throw error;
  return have;
}

/**
 * A refused write may have changed something all the same: a hotplug that fails leaves the change pending
 * (traps 21). Then the work goes on with the rest, and the failure is only told. What would be tried in vain again
 * fails.
 */
async function orDone(round: Round, action: Action, error: unknown): Promise<ObservedMachine> {
  const isWrite = action.kind === 'configure' || action.kind === 'resize' || action.kind === 'move-disk';
  if (!isWrite || kindOf(error) === undefined || round.timeIsUp()) throw error;
  const have = await round.observeAnew();
  const { actions, refusals } = await round.plan(have);
  if (refusals.length > 0 || actions.some(next => isRepeated(next, action))) throw error;
  round.disturbed(error);
  return have;
}

/** Whether all of the failed action is still to be done: nothing of it took effect. */
function isRepeated(next: Action, failed: Action): boolean {
  const parts = partsOf(next);
  return next.kind === failed.kind && partsOf(failed).every(part => parts.includes(part));
}

function partsOf(action: Action): string[] {
  if (action.kind === 'configure') return [...Object.keys(action.set), ...action.delete];
  return action.kind === 'resize' || action.kind === 'move-disk' ? [action.slot] : [];
}

/** Waits until no task runs that the lost request may have started, then a moment more. */
async function untilQuiet(round: Round, action: Action): Promise<void> {
  const { pve, node, ids } = round.placesOf(action);
  await rest(round, FIRST_PAUSE_MS);
  while (!round.timeIsUp() && node !== undefined && (await isBusy(round, node, ids))) {
    await sleep(pve.config.poll.ceilingMs, undefined, { signal: round.signal });
  }
}

async function isBusy(round: Round, node: string, ids: string[]): Promise<boolean> {
  try {
    return (await listActiveTasks(round.pve, node)).some(({ id }) => ids.includes(id ?? ''));
  } catch (error) {
    // the node does not answer: what runs there is seen when it is back
    if (error instanceof PveError && error.kind !== 'unauthenticated') return false;
    throw error;
  }
}

function kindOf(error: unknown): PveErrorKind | undefined {
  return error instanceof PveError || error instanceof TaskError ? error.kind : undefined;
}

/** Waits, longer each time, with jitter, so that many that wait do not come at once. */
async function rest(round: Round, firstMs: number): Promise<void> {
  const ms = Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** round.rests) * (0.5 + Math.random());
  round.rests += 1;
  await sleep(ms, undefined, { signal: round.signal });
}
