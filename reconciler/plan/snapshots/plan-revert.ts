import type { Action, Change, Refusal } from '../../action';
import { generationOf } from '../../guest/generation';
import type { Scene } from '../../machine/scene';
import { writeDescription } from '../../mark/mark';
import type { ObservedGuest } from '../../observed';
import { revertProblems } from './revert-problems';
import { revertTarget } from './revert-target';

interface Reverting {
  actions: Action[];
  changes: Change[];
  refusals: Refusal[];
}

const RAN = 1;

/**
 * Going back to a snapshot, once for each value of `revertTo`. Undefined: it is not asked for, or done. PVE keeps the
 * description in a rollback (behaviour.md §14.5): what is begun is written there first, so that a run that is cut
 * short is finished by the next one, and what is done is never done again.
 */
export function planRevert(scene: Scene, guest: ObservedGuest): Reverting | undefined {
  const { spec, context, mark, origin } = scene;
  if (mark === undefined || mark.b === 1 || origin !== 'kept') return undefined;
  const to = context.revert?.to ?? revertTarget(spec);
  if (to === undefined || isDone(scene)) return undefined;
  const found = context.held?.list.find(({ name }) => name === to);
  const refusals = revertProblems(scene, to, found);
  const runs = guest.power === 'running';
  const change: Change = { field: 'revertTo', from: mark.r, to, effect: runs ? 'restart' : 'live' };
  const back = { name: to, taken: found?.taken ?? 0, resumes: found?.hasMemory ?? false };
  return {
    actions: [...announced(scene, guest, back.resumes), { kind: 'roll-back', ...back }],
    changes: [change],
    refusals,
  };
}

/** Whether the guest went back since that was asked for. Then it descends from the snapshot, and is another generation. */
function isDone({ spec, context, mark, current }: Scene): boolean {
  const now = generationOf(current);
  const { revert, held } = context;
  if (revert) return revert.from !== now && descends(current.parent, revert.to, held?.list ?? []);
  if (mark?.r !== spec.revertTo) return false;
  if (mark?.q === undefined) return true;
  return mark.q !== now && descends(current.parent, revertTarget(spec), held?.list ?? []);
}

function descends(
  parent: string | undefined,
  from: string | undefined,
  list: readonly { name: string; parent?: string | undefined }[],
): boolean {
  let at = parent;
  for (let steps = 0; at !== undefined && steps <= list.length; steps += 1) {
    if (at === from) return true;
    at = list.find(({ name }) => name === at)?.parent;
  }
  return false;
}

/** What is written before the rollback, unless that was done or a person asks here and now. */
function announced(
  { spec, context, mark, current }: Scene,
  guest: ObservedGuest,
  resumes: boolean,
): Action[] {
  const q = generationOf(current);
  if (mark === undefined || context.revert || (mark.r === spec.revertTo && mark.q === q)) return [];
  // PVE: without memory it is off afterwards, and nobody else says that it ran
  const isLeftOff = spec.power === 'unmanaged' && guest.power === 'running' && !resumes;
  const begun = { ...mark, r: spec.revertTo, q, s: isLeftOff ? RAN : mark.s };
  const description = writeDescription(guest.description, begun);
  return [{ kind: 'configure', set: { description }, delete: [], slow: false, verify: false }];
}
