import { warned, type Action, type Change, type MachinePlan } from '../../action';
import { generationOf } from '../../guest/generation';
import type { HeldSnapshot } from '../../machine/facts';
import type { Scene } from '../../machine/scene';
import { writeDescription } from '../../mark/description';
import type { Mark } from '../../mark/mark';
import type { ObservedGuest } from '../../observed';
import { lostByPending } from '../brings-pending';
import { lossesByActions, lossesTogether } from '../losses-of-plan';
import { othersPending } from '../others-pending';
import { goingWithRevert } from './guard';
import type { SnapshotSteps } from './plan-snapshots';
import { lostUnasked, revertProblems, takenOff } from './revert-problems';
import { revertAsked, revertTarget } from './revert-target';

/**
 * Going back to a snapshot, once for each value of `revertTo`. Undefined: it is not asked for, or done. PVE keeps the
 * description in a rollback (behaviour.md §14.5): what is begun is written there first, so that a run that is cut
 * short is finished by the next one, and what is done is never done again.
 */
export function revertSteps(scene: Scene, guest: ObservedGuest): SnapshotSteps | undefined {
  const { context, mark, origin } = scene;
  if (mark === undefined || mark.isUnfinished === true || origin !== 'kept') return undefined;
  const to = revertAsked(scene);
  if (to === undefined || isDone(scene)) return undefined;
  const found = context.facts.ask('snapshots')?.find(({ name }) => name === to);
  const effect = guest.power === 'running' ? 'restart' : 'live';
  const change: Change = { field: 'revertTo', from: mark.revertedTo, to, effect };
  const back = { name: to, taken: found?.taken ?? 0, resumes: found?.hasMemory ?? false };
  const actions: Action[] = [...announced(scene, guest, back.resumes), { kind: 'roll-back', ...back }];
  return {
    actions,
    changes: [change],
    refusals: [...revertProblems(scene, to, found), ...lostUnasked(scene, guest, actions)],
  };
}

/**
 * Going back is a round of its own: what then differs is planned again on what came back. `then`: that plan, as it is
 * foreseen; undefined where the snapshot was not read.
 */
export function planRevert(
  scene: Scene,
  guest: ObservedGuest,
  { actions, changes, refusals }: SnapshotSteps,
  then: MachinePlan | undefined,
): MachinePlan {
  const machine = scene.spec.id;
  if (refusals.length > 0) return { machine, changes, actions: [], refusals, waiting: [] };
  const isDown = changes.some(({ effect }) => effect === 'restart');
  const after = (then?.changes ?? []).filter(({ field }) => !isDown || field !== 'power');
  const waits = ({ effect }: Change): boolean => effect === 'restart' && then?.restart === 'later';
  const byOthers = lostByPending(guest, { actions });
  const losses = [
    lossesByActions(scene, [], goingWithRevert(scene)).losses,
    { volumes: byOthers, snapshots: [] },
    then?.losses,
  ];
  return {
    machine,
    changes: [...changes, ...after.filter(change => !waits(change))],
    actions,
    refusals,
    waiting: [...after.filter(waits), ...(then?.waiting ?? [])],
    ...(then && then.actions.length > 0 && { foreseen: then.actions }),
    ...(then?.later && { later: then.later }),
    ...warned(
      othersPending(scene, guest, { actions }),
      then?.warnings,
      refusedThen(then),
      takenOff(scene, byOthers),
    ),
    ...lossesTogether(losses),
    ...((isDown || then?.restart === 'now') && { restart: 'now' }),
  };
}

/** It goes back all the same: that is asked for by name, and people may want the state that the spec does not fit. */
function refusedThen(then: MachinePlan | undefined): MachinePlan['warnings'] {
  return then?.refusals.map(({ why, detail, remedy }) => ({
    about: `then ${why}`,
    text: `once it went back it is refused: ${detail} ${remedy}`,
  }));
}

/** Whether the guest went back since that was asked for. Then it descends from the snapshot, and is another generation. */
function isDone({ spec, context, mark, running }: Scene): boolean {
  const now = generationOf(running);
  const { wanted, done, facts } = context;
  const list = (): readonly HeldSnapshot[] => facts.ask('snapshots') ?? [];
  if (wanted.revert !== undefined)
    return done.firstGeneration !== now && descends(running.parent, wanted.revert, list());
  if (mark?.revertedTo !== spec.revertTo) return false;
  if (mark?.revertedFrom === undefined) return true;
  return mark.revertedFrom !== now && descends(running.parent, revertTarget(spec), list());
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
  { spec, context, mark, running }: Scene,
  guest: ObservedGuest,
  resumes: boolean,
): Action[] {
  const now = generationOf(running);
  if (
    mark === undefined ||
    context.wanted.revert !== undefined ||
    (mark.revertedTo === spec.revertTo && mark.revertedFrom === now)
  )
    return [];
  // PVE: without memory it is off afterwards, and nobody else says that it ran
  const isLeftOff = spec.power === 'unmanaged' && guest.power === 'running' && !resumes;
  const begun: Mark = {
    ...mark,
    revertedTo: spec.revertTo,
    revertedFrom: now,
    isRestarting: isLeftOff ? true : mark.isRestarting,
  };
  const description = writeDescription(guest.description, begun);
  return [{ kind: 'configure', set: { description }, delete: [], slow: false, verify: false }];
}
