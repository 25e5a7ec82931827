import type { Action, BirthParams, MachinePlan } from './action';

const SECRET = '(secret)';

/** An action that may be printed: the same, without the values that nobody may read. */
export function withoutSecrets(action: Action): Action {
  if (action.kind === 'configure') return { ...action, set: hidden(action.set) };
  if (action.kind === 'create' || action.kind === 'clone')
    return { ...action, params: hidden(action.params) };
  return action;
}

/** A plan that may be printed. */
export function printablePlan(plan: MachinePlan): MachinePlan {
  return { ...plan, actions: plan.actions.map(withoutSecrets) };
}

function hidden<T extends BirthParams>(values: T): T {
  return 'cipassword' in values ? { ...values, cipassword: SECRET } : values;
}
