import type { MachinePlan } from './action';
import type { ListedGuest, ObservedGuest } from './observed';

/** The power that a round which went well leaves: a newborn is off until it is started. */
export function powerAfter({ actions }: MachinePlan, guest: ObservedGuest | undefined): ListedGuest['power'] {
  let power: ListedGuest['power'] = guest?.power ?? 'stopped';
  for (const action of actions) {
    if (action.kind === 'power') power = action.to;
    if (action.kind === 'restart') power = 'running';
  }
  return power;
}

/** Whether a round which went well leaves a cloud-init drive that lags: PVE makes it anew at each start, too. */
export function isStaleAfter({ actions }: MachinePlan, read: ObservedGuest): boolean {
  const isFresh = actions.some(
    action =>
      action.kind === 'regenerate-cloud-init' ||
      action.kind === 'restart' ||
      (action.kind === 'power' && action.to === 'running'),
  );
  return read.cloudInitStale === true && !isFresh;
}

/** The pool that a round which went well leaves: a birth takes its pool along. */
export function poolAfter({ actions }: MachinePlan, guest: ObservedGuest | undefined): string | undefined {
  let pool = guest?.pool;
  for (const action of actions) {
    if (action.kind === 'set-pool') pool = action.pool;
    if ((action.kind === 'create' || action.kind === 'clone') && action.params.pool !== undefined)
      pool = String(action.params.pool);
  }
  return pool;
}
