import { warned, type Change, type MachinePlan } from '../../action';
import type { Scene } from '../../machine/scene';
import { lossesByActions, lossesTogether } from '../losses-of-plan';
import { goingWithRevert } from './guard';
import { takenOff } from './revert-problems';
import type { SnapshotSteps } from './plan-snapshots';

/**
 * Going back is a round of its own: what then differs is planned again on what came back. `then`: that plan, as it is
 * foreseen; undefined where the snapshot was not read.
 */
export function revertPlan(
  scene: Scene,
  { actions, changes, refusals }: SnapshotSteps,
  then: MachinePlan | undefined,
): MachinePlan {
  const machine = scene.spec.id;
  if (refusals.length > 0) return { machine, changes, actions: [], refusals, waiting: [] };
  const isDown = changes.some(({ effect }) => effect === 'restart');
  const after = (then?.changes ?? []).filter(({ field }) => !isDown || field !== 'power');
  const waits = ({ effect }: Change): boolean => effect === 'restart' && then?.restart === 'later';
  const losses = [lossesByActions(scene, [], goingWithRevert(scene)).losses, then?.losses];
  return {
    machine,
    changes: [...changes, ...after.filter(change => !waits(change))],
    actions,
    refusals,
    waiting: [...after.filter(waits), ...(then?.waiting ?? [])],
    ...(then && then.actions.length > 0 && { foreseen: then.actions }),
    ...(then?.later && { later: then.later }),
    ...warned(then?.warnings, refusedThen(then), takenOff(scene)),
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
