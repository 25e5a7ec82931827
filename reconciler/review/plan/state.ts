import type { PlanDocument, StateModule, StateResource } from './document';

/** What stood in the state when a plan was made, each with the address of its module. */
export function stateResources(plan: PlanDocument): Iterable<{ module: string; resource: StateResource }> {
  return resourcesIn(plan.prior_state?.values?.root_module);
}

function* resourcesIn(
  module: StateModule | undefined,
): Iterable<{ module: string; resource: StateResource }> {
  for (const resource of module?.resources ?? []) yield { module: module?.address ?? '', resource };
  for (const inner of module?.child_modules ?? []) yield* resourcesIn(inner);
}
