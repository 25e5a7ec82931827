import type { MachineSpec } from '../../spec';
import { emptyPlan, type MachinePlan } from '../action';
import { planCreate } from './create';
import { sayCloned } from '../mark/image-words';
import { planGuest } from './guest';
import { planHealed } from './healed/plan-healed';
import { notMade } from './not-made';
import type { ObservedCluster, ObservedMachine } from '../observed';
import { planOnly } from './snapshots/plan-only';
import type { PlanContext } from '../machine/plan-context';

/**
 * What is to be done now so that Proxmox matches the spec of one machine. Pure: same input, same plan.
 * It plans one round: carry the actions out in order, read the guest again, plan again, until no action is left.
 * A plan with refusals has no actions. A plan without actions and refusals says that the machine is in sync.
 */
export function planMachine(
  spec: MachineSpec,
  have: ObservedMachine,
  cluster: ObservedCluster,
  context: PlanContext,
): MachinePlan {
  if (have.kind === 'refused') {
    const { kind: _, ...objection } = have;
    return { ...emptyPlan(spec.id), refusals: [{ machine: spec.id, ...objection }] };
  }
  if (context.only !== undefined) return planOnly(spec, have, context);
  switch (have.kind) {
    case 'absent': {
      const refusals = notMade(spec, context, { replaces: false });
      return refusals.length > 0 ? { ...emptyPlan(spec.id), refusals } : planCreate(spec, cluster, context);
    }
    case 'present': {
      const { guest, lostMark } = have;
      if (lostMark !== undefined) return planHealed(spec, { guest, lostMark }, cluster, context);
      return planGuest(spec, have.guest, isFreshClone(have) ? 'cloned' : 'kept', cluster, context);
    }
    case 'adoptable':
      return planGuest(spec, have.guest, 'adopted', cluster, context);
  }
}

/** What is made from nothing knows its devices at once; of a clone those that it brought become the spec's. */
function isFreshClone({ guest, unfinished }: Extract<ObservedMachine, { kind: 'present' }>): boolean {
  return unfinished && sayCloned(guest.mark?.i);
}
