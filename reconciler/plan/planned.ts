import type { MachineSpec } from '../../spec';
import type { MachinePlan } from '../action';
import type { PlaceOfNew } from '../machine/facts';
import type { PlanContext } from '../machine/plan-context';
import type { ObservedCluster, ObservedMachine } from '../observed';

/** A plan and what it was made from. */
export interface Planned {
  spec: MachineSpec;
  plan: MachinePlan;
  have: ObservedMachine;
  cluster: ObservedCluster;
  context: PlanContext;
  /** Of a machine that is to be made. */
  place?: PlaceOfNew | undefined;
}
