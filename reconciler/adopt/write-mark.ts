import type { Action } from '../action';
import { RefusedError } from '../errors';
import { observedGuest } from '../observe/guest-facts';
import type { ListedGuest, ObservedGuest } from '../observed';
import { ownerTag } from '../mark/owner-tag';
import { planMachine } from '../plan/plan';
import { preflight } from '../plan/preflight';
import { PveError, readConfig, writeConfig } from '../pve';
import type { Run } from '../run/run';
import { whyNot } from './candidates';
import { beyondMark, contextOf, type AdoptedMachine, type Surroundings } from './spec/machine-of';

const MOST_TRIES = 5;

/**
 * Writes the mark of a guest, and nothing else: it is read directly before, and a write that meets a change made
 * meanwhile is planned anew. Says why not, or nothing. Safe to run again at any time.
 */
export async function writeMark(
  run: Run,
  listed: ListedGuest,
  { spec }: Pick<AdoptedMachine, 'spec'>,
  around: Surroundings,
): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    run.signal.throwIfAborted();
    const guest = await markable(run, listed, spec.id, around);
    if (typeof guest === 'string') return guest;
    if (guest === undefined) return undefined;
    const have = { kind: 'adoptable' as const, guest };
    const context = contextOf(around);
    const plan = planMachine(spec, have, run.cluster, context);
    const more = beyondMark(plan);
    if (more.length > 0) return `it was changed meanwhile: ${more.join(', ')}. Run this again`;
    const { refusals } = preflight({ spec, plan, have, cluster: run.cluster, context });
    if (refusals.length > 0) throw new RefusedError(refusals);
    try {
      await write(run, guest, plan.actions);
    } catch (error) {
      // a change of somebody else, or an answer that was lost: the next reading tells
      if (!(error instanceof PveError) || !AGAIN.includes(error.kind) || tries >= MOST_TRIES) throw error;
    }
  }
}

const AGAIN: readonly PveError['kind'][] = ['changed', 'unknown-outcome', 'locked'];

/** The digest of the reading: Proxmox refuses the write where anything has changed since. */
async function write({ pve }: Run, guest: ObservedGuest, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    if (action.kind === 'configure') await writeConfig(pve, guest, { ...action.set, digest: guest.digest });
  }
}

/** The guest as it is now, if it can still be marked; undefined: it has this very mark; a text: why it cannot. */
async function markable(
  run: Run,
  listed: ListedGuest,
  id: string,
  { owner }: Surroundings,
): Promise<ObservedGuest | string | undefined> {
  const config = await readConfig(run.pve, listed);
  const guest = observedGuest(listed, config);
  const isMarked = guest.mark?.o === owner && guest.mark.m === id;
  if (isMarked && (config.current['tags'] ?? '').includes(ownerTag(owner, id))) return undefined;
  const left = whyNot(config);
  return left === undefined ? guest : `${left.why}. ${left.remedy}`;
}
