import { setTimeout as sleep } from 'node:timers/promises';
import type { Action } from './action';
import type { ObservedMachine } from './observed';
import type { PveErrorKind } from './pve';
import { PveError, TaskError, listActiveTasks } from './pve';
import type { Round } from './round';

/** What to do after an action failed, by the kind of the failure. Kinds that are not here end the run. */
const AFTER: Partial<Record<PveErrorKind, 'read' | 'wait' | 'other-id' | 'find-out'>> = {
  // somebody wrote in between: read again, our values win
  changed: 'read',
  // moved to another node, or gone
  'not-found': 'read',
  locked: 'wait',
  'no-quorum': 'wait',
  unreachable: 'wait',
  'already-exists': 'other-id',
  'unknown-outcome': 'find-out',
};

const FIRST_PAUSE_MS = 200;
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
  if (next === 'find-out') await untilQuiet(round, action);
  else if (next !== 'read') await sleep(pause(round.nextDisturbance()), undefined, { signal: round.signal });
  else round.nextDisturbance();
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
  await sleep(pause(round.nextDisturbance()), undefined, { signal: round.signal });
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

/** Longer each time, with jitter, so that many that wait do not come at once. */
function pause(disturbances: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** disturbances) * (0.5 + Math.random());
}
