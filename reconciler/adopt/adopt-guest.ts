import type { MachineSpec } from '../../spec';
import type { Action, MachinePlan, Refusal } from '../action';
import { RefusedError } from '../errors';
import { uuidOf } from '../guest/uuid';
import { observedGuest } from '../observe/guest';
import type { ObservedGuest } from '../observed';
import { ownerTag } from '../mark/owner-tag';
import { planMachine } from '../plan/plan';
import { whyNoMark } from '../plan/why-no-mark';
import { PveError, onFailure, readConfig, writeConfig } from '../pve';
import { isOffWithChanges } from '../run/reads/off-with-changes';
import type { Run } from '../run/run';
import { REASONS, whyNot, type Reason } from './candidates';
import type { ReadGuest } from './find-machines';
import { beyondMark, contextOf, type AdoptedMachine, type AdoptedFor } from './spec/machine-of';

const MOST_TRIES = 5;

/**
 * Writes the mark of a guest, and nothing else: it is read directly before, must be the one that the program was made
 * of, and a write that meets a change made meanwhile is planned anew. Says why not, or nothing. Safe to run again.
 */
export async function writeMark(
  run: Run,
  read: ReadGuest,
  { spec }: Pick<AdoptedMachine, 'spec'>,
  around: AdoptedFor,
): Promise<Reason | undefined> {
  for (let tries = 1; ; tries += 1) {
    run.signal.throwIfAborted();
    try {
      const guest = await markable(run, read, spec.id, around);
      if (guest === undefined || 'why' in guest) return guest;
      const plan = planned(run, spec, guest, around);
      if ('why' in plan) return plan;
      await write(run, guest, plan.actions);
    } catch (error) {
      if (!(error instanceof PveError)) throw error;
      if (error.kind === 'not-found') return REASONS.gone;
      // a change of somebody else, or an answer that was lost: the next reading tells
      if (onFailure(error, 'mark') !== 'again' || tries >= MOST_TRIES) throw error;
    }
  }
}

/** What the caller may not do of writing the mark of a guest, as it was read. Sends nothing. */
export function markRefusals(
  run: Run,
  { guest }: Pick<ReadGuest, 'guest'>,
  { spec }: Pick<AdoptedMachine, 'spec'>,
  around: AdoptedFor,
): Refusal[] {
  const have = { kind: 'adoptable' as const, guest };
  return planMachine(spec, have, contextOf(spec, around, run.cluster)).refusals;
}

/** The plan that writes the mark, or what it would write besides. */
function planned(
  run: Run,
  spec: MachineSpec,
  guest: ObservedGuest,
  around: AdoptedFor,
): MachinePlan | Reason {
  const have = { kind: 'adoptable' as const, guest };
  const plan = planMachine(spec, have, contextOf(spec, around));
  const more = beyondMark(plan);
  if (more.length > 0)
    return { why: `it was changed meanwhile: ${more.join(', ')}`, remedy: 'Run this again.' };
  const refusals = markRefusals(run, { guest }, { spec }, around);
  if (refusals.length > 0) throw new RefusedError(refusals);
  return plan;
}

/** The digest of the reading: Proxmox refuses the write where anything has changed since. */
async function write({ pve }: Run, guest: ObservedGuest, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    if (action.kind === 'configure') await writeConfig(pve, guest, { ...action.set, digest: guest.digest });
  }
}

/** The guest as it is now, if it can still be marked; undefined: it has this very mark; else why it cannot. */
async function markable(
  run: Run,
  { listed, guest: read }: ReadGuest,
  id: string,
  { owner }: AdoptedFor,
): Promise<ObservedGuest | Reason | undefined> {
  const config = await readConfig(run.pve, listed);
  const guest = observedGuest(listed, config);
  const isMarked = guest.mark?.owner === owner && guest.mark.machine === id;
  if (isMarked && (config.current['tags'] ?? '').includes(ownerTag(owner, id))) return undefined;
  if (!isStillThat(read, guest)) return REASONS.another;
  return whyNot(config) ?? whyNoMark(guest, await isOffWithChanges(run.pve, guest)) ?? guest;
}

/** A number may have gone to another guest. One without a uuid is known by its configuration alone. */
function isStillThat(read: ObservedGuest, now: ObservedGuest): boolean {
  return read.digest === now.digest || (uuidOf(read.current) ?? '') === uuidOf(now.current);
}
