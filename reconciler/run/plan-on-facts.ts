import type { MachineSpec } from '../../spec';
import type { MachinePlan } from '../action';
import { factsFor } from './facts-for';
import type { Run } from './run';
import type { ObservedMachine } from '../observed';
import { planMachine } from '../plan/plan';
import type { PlanContext } from '../machine/plan-context';

/** The plan of a machine, made once more where it stands on something that had to be read first. Reads only. */
export async function planOnFacts(
  run: Run,
  spec: MachineSpec,
  have: ObservedMachine,
  context: PlanContext,
): Promise<{ plan: MachinePlan; context: PlanContext }> {
  const plan = planMachine(spec, have, run.cluster, context);
  const facts = await factsFor(run, spec, have, plan);
  if (facts === undefined) return { plan, context };
  const known = { ...context, facts };
  return { plan: planMachine(spec, have, run.cluster, known), context: known };
}
