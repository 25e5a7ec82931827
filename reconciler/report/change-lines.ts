import type { Change, GuestPlace, MachinePlan } from '../action';
import { isOwnerTag } from '../mark/owner-tag';

const WAITS = 'waits for a restart';

/**
 * The changes of a plan, one line each: field, from, to, and what it costs where that is more than nothing. `restart`:
 * who does the one that is needed.
 */
export function changeLines({ changes, waiting }: MachinePlan, restart?: MachinePlan['restart']): string[] {
  const costOf = ({ effect }: Change): string =>
    effect === 'restart' && restart === 'later' ? WAITS : effect;
  return [
    ...shownChanges(changes).map(change => changeLine(change, costOf(change))),
    ...waiting.map(change => changeLine(change, WAITS)),
  ];
}

function changeLine({ field, from, to }: Change, cost: string): string {
  return `${field}: ${from ?? '(none)'} -> ${to ?? '(none)'}${cost === 'live' ? '' : ` (${cost})`}`;
}

/** What a run leaves waiting, and what to do about it; nothing where nothing waits. Who has it in Terraform has no file to name. */
export function waitingSentence(
  machine: string,
  { vmid, node }: GuestPlace,
  waiting: readonly Change[],
): string | undefined {
  if (waiting.length === 0) return undefined;
  const fields = [...new Set(waiting.map(({ field }) => field))].join(', ');
  return `waits for a restart: ${fields}. Restart it (qm reboot ${vmid} on node ${node}, or pve-reconciler power reboot ${machine} --spec FILE), or set restart: whenNeeded and run again.`;
}

/** The changes as a person reads them: one for each field, without what we draw ourselves. */
export function shownChanges(changes: readonly Change[]): Change[] {
  const refused = new Set(changes.filter(({ effect }) => effect === 'refused').map(({ field }) => field));
  return changes
    .filter(({ field, effect }) => effect === 'refused' || !refused.has(field))
    .flatMap(shownChange);
}

/** A change as a person reads it: without the identity that we draw and the tag by which we find our own. */
function shownChange(change: Change): Change[] {
  if (change.field === 'identity') return [];
  if (change.field !== 'tags') return [change];
  const [from, to] = [withoutOurs(change.from), withoutOurs(change.to)];
  return from === to ? [] : [{ ...change, from, to }];
}

function withoutOurs(tags: string | undefined): string | undefined {
  const kept = (tags ?? '').split(';').filter(tag => tag !== '' && !isOwnerTag(tag));
  return kept.length === 0 ? undefined : kept.join(';');
}
