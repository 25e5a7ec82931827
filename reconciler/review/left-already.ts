import type { PlanDocument } from './plan/document';
import type { MachineParts } from './plan/parts';

/**
 * Whether a machine of the code is gone already: the state holds nothing of it, and the plan destroys what is left, as
 * after a destroy that was broken off. In any other plan a machine that is left out was left out on purpose.
 */
export function leftAlready({ entry, standing }: MachineParts, plan: PlanDocument): boolean {
  if (entry !== undefined || standing !== undefined || plan.complete === false) return false;
  const managed = (plan.resource_changes ?? []).filter(({ mode }) => mode === 'managed');
  const isLeaving = managed.every(({ change }) => change.actions.join() === 'delete');
  return managed.length > 0 && isLeaving;
}
