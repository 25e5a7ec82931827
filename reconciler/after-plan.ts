import type { GuestPlace, MachinePlan } from './action';
import type { ListedGuest, ObservedGuest } from './observed';

/** The power that a round which went well leaves: a newborn is off until it is started. */
function powerAfter({ actions }: MachinePlan, guest: ObservedGuest | undefined): ListedGuest['power'] {
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
function poolAfter({ actions }: MachinePlan, guest: ObservedGuest | undefined): string | undefined {
  let pool = guest?.pool;
  for (const action of actions) {
    if (action.kind === 'set-pool') pool = action.pool;
    if ((action.kind === 'create' || action.kind === 'clone') && action.params.pool !== undefined)
      pool = String(action.params.pool);
  }
  return pool;
}

/** A guest as the listing will have it once a plan was carried out: the listing itself lags. */
export function listedAfter(
  plan: MachinePlan,
  { vmid, node }: GuestPlace,
  guest: ObservedGuest | undefined,
  guests: readonly ListedGuest[],
): ListedGuest {
  const known = guests.find(listed => listed.vmid === vmid);
  return {
    vmid,
    node,
    type: 'qemu',
    name: known?.name,
    tags: known?.tags ?? [],
    template: false,
    power: powerAfter(plan, guest),
    lock: undefined,
    pool: poolAfter(plan, guest),
    haManaged: guest?.haManaged ?? false,
    memory: known?.memory ?? 0,
  };
}
