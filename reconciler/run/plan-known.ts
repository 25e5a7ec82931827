import { hasOwnData, type MachineSpec } from '../../spec';
import type { Action, MachinePlan } from '../action';
import { NOT_READ } from '../observe/cluster';
import { isAboutHa } from '../machine/parts/ha';
import { standsOnVolumes } from './plan-on-facts';
import type { ObservedMachine } from '../observed';
import { planMachine } from '../plan/plan';
import type { PlanContext } from '../machine/plan-context';

/** What is done to a machine that is there without knowing more than its configuration. */
const TO_WHAT_IS_THERE: readonly Action['kind'][] = ['configure', 'resize'];
/** And to one that this run makes: nobody else has to do with it yet. */
const TO_WHAT_IS_MADE: readonly Action['kind'][] = [
  ...TO_WHAT_IS_THERE,
  'create',
  'clone',
  'power',
  'regenerate-cloud-init',
  'make-template',
];

/**
 * The plan of a machine where nothing but the machine was read: bridges, storages and what the caller may do are known
 * from the plan that Terraform showed. Undefined: it takes more to plan, or to refuse. Pure.
 */
export function planKnown(
  spec: MachineSpec,
  have: ObservedMachine,
  context: PlanContext,
  isMade: boolean,
): MachinePlan | undefined {
  const guest = 'guest' in have ? have.guest : undefined;
  // its ISO is on a storage, and anybody may have removed it
  if (hasOwnData(spec.cloudInit) || guest?.mark?.f !== undefined) return undefined;
  // HA is asked too
  if (isAboutHa(spec)) return undefined;
  const plan = planMachine(spec, have, NOT_READ, context);
  const kinds = isMade ? TO_WHAT_IS_MADE : TO_WHAT_IS_THERE;
  const isEnough = plan.refusals.length === 0 && plan.actions.every(({ kind }) => kinds.includes(kind));
  return isEnough && !standsOnVolumes(plan, guest) ? plan : undefined;
}
