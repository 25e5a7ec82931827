import type { MachineSpec } from '../../spec';
import { emptyPlan, startsGuest, type Action, type MachinePlan } from '../action';
import { isHibernated } from '../guest/hibernated';
import type { Origin, PlanContext } from '../machine/plan-context';
import { sceneOf } from '../machine/scene';
import type { ObservedGuest } from '../observed';
import { judgeWake } from './judge-start';
import { powerActions } from './power-actions';

/**
 * A guest that was suspended to disk and is to run wakes first: its lock lets no write through before (guest/hibernated).
 * What follows is planned as of one that runs. Undefined: it does not wake, or it is made anew. Pure.
 */
export function planWake(
  spec: MachineSpec,
  guest: ObservedGuest,
  { origin, context }: { origin: Origin; context: PlanContext },
  plan: (awake: ObservedGuest) => MachinePlan,
): MachinePlan | undefined {
  // one that is adopted gets its mark first
  if (origin !== 'kept' || !isHibernated(guest)) return undefined;
  const wake = powerActions(spec, guest.power, guest.mark);
  if (!wake.actions.some(startsGuest)) return undefined;
  const { vmstate: _, ...current } = guest.current;
  const then = plan({ ...guest, current, lock: undefined, power: 'running' });
  if (then.actions.some(({ kind }) => kind === 'destroy')) return undefined;
  const { refusals, changes } = judgeWake(sceneOf(spec, guest, origin, context), guest, wake.actions);
  if (refusals.length > 0) return { ...emptyPlan(spec.id), changes: [...wake.changes, ...changes], refusals };
  return {
    ...then,
    changes: [...wake.changes, ...then.changes],
    actions: then.refusals.length > 0 ? [] : firstUploads([...wake.actions, ...then.actions]),
  };
}

/** PVE starts no guest without the ISO in its drive, where somebody has deleted that. */
function firstUploads(actions: readonly Action[]): Action[] {
  const isUpload = ({ kind }: Action): boolean => kind === 'upload-iso';
  return [...actions.filter(isUpload), ...actions.filter(action => !isUpload(action))];
}
