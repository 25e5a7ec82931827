import type { Action, MachinePlan } from '../action';
import { isSecretKey } from '../guest/key-kinds';

/** The plan as it is told to programs: without secrets, its warnings as sentences. */
export function planJson(plan: MachinePlan): Omit<MachinePlan, 'warnings'> & { warnings?: string[] } {
  const { warnings, ...rest } = withoutSecrets(plan);
  return { ...rest, ...(warnings && { warnings: warnings.map(({ text }) => text) }) };
}

/** The plan as it may be printed, stored or sent: what is secret stands as `(secret)`. */
export function withoutSecrets(plan: MachinePlan): MachinePlan {
  return { ...plan, actions: plan.actions.map(shownAction) };
}

/** One action as it may be shown. */
export function shownAction(action: Action): Action {
  if (action.kind === 'configure') return { ...action, set: hidden(action.set) };
  if (action.kind === 'upload-iso') return { ...action, image: '(secret)' };
  return action.kind === 'create' || action.kind === 'clone'
    ? { ...action, params: hidden(action.params) }
    : action;
}

function hidden<T extends Record<string, unknown>>(values: T): T {
  const secrets = Object.keys(values).filter(isSecretKey);
  return { ...values, ...Object.fromEntries(secrets.map(key => [key, '(secret)'])) };
}
