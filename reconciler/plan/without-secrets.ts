import { type Action, type MachinePlan, makesGuest } from '../action';
import { isSecretKey } from '../guest/key-kinds';

/** The plan as it is told to programs: without secrets, its warnings as sentences. */
export function planJson(plan: MachinePlan): Omit<MachinePlan, 'warnings'> & { warnings?: string[] } {
  const { warnings, ...rest } = withoutSecrets(plan);
  return { ...rest, ...(warnings && { warnings: warnings.map(({ text }) => text) }) };
}

/**
 * The plan as it may be printed, stored or sent: what is secret stands as `(secret)`. In its changes it did so from the
 * beginning (machine/compare.ts); what Proxmox repeats in an answer is masked where that is read (pve/answers/masked-secrets.ts).
 */
export function withoutSecrets(plan: MachinePlan): MachinePlan {
  const upload = plan.actions.find(
    action => action.kind === 'fetch-image' && action.file !== undefined && !action.isThere,
  );
  const actions = plan.actions.map(shownAction);
  const foreseen = plan.foreseen && { foreseen: plan.foreseen.map(shownAction) };
  if (upload?.kind !== 'fetch-image') return { ...plan, actions, ...foreseen };
  const shown = (text: string): string => text.replaceAll(upload.volume, withoutEnding(upload.volume));
  return {
    ...plan,
    ...foreseen,
    changes: plan.changes.map(change => ({ ...change, to: change.to && shown(change.to) })),
    actions: actions.map(action => withoutDrawn(action, shown)),
  };
}

/** The name of a file that is uploaded ends in what each run draws anew: the one that applies the plan draws another. */
function withoutEnding(volume: string): string {
  return volume.replace(/-[0-9a-f]+(\.\w+)$/, '-*$1');
}

function withoutDrawn(action: Action, shown: (text: string) => string): Action {
  if (action.kind === 'fetch-image') return { ...action, volume: shown(action.volume) };
  if (action.kind !== 'create') return action;
  const params = Object.entries(action.params).map(([key, value]) => [
    key,
    typeof value === 'string' ? shown(value) : value,
  ]);
  return { ...action, params: Object.fromEntries(params) };
}

/** One action as it may be shown. */
export function shownAction(action: Action): Action {
  if (action.kind === 'configure') return { ...action, set: hidden(action.set) };
  if (action.kind === 'upload-iso') return { ...action, image: '(secret)' };
  return makesGuest(action) ? { ...action, params: hidden(action.params) } : action;
}

function hidden<T extends Record<string, unknown>>(values: T): T {
  const secrets = Object.keys(values).filter(isSecretKey);
  return { ...values, ...Object.fromEntries(secrets.map(key => [key, '(secret)'])) };
}
