import type { Action, MachinePlan } from '../action';
import { readDescription } from '../mark/mark';
import type { ObservedGuest } from '../observed';

type Of<K extends Action['kind']> = Extract<Action, { kind: K }>;

/**
 * A guest as an action that went well leaves it, as far as that is known without reading it. It has no digest: what
 * needs one reads the guest again.
 */
export function guestAfter(action: Action, before: ObservedGuest | undefined): ObservedGuest | undefined {
  if (action.kind === 'create' || action.kind === 'clone') return newGuest(action);
  if (!before) return undefined;
  // nothing of the guest was written: what follows is still refused where somebody else writes
  if (action.kind === 'upload-iso') return before;
  const guest = { ...before, digest: '' };
  if (action.kind === 'configure') return configured(guest, action);
  if (action.kind === 'make-template') return { ...guest, template: true };
  if (action.kind === 'migrate') return { ...guest, node: action.to };
  if (action.kind === 'set-pool') return { ...guest, pool: action.pool };
  if (action.kind === 'join-ha' || action.kind === 'leave-ha')
    return { ...guest, haManaged: action.kind === 'join-ha' };
  if (action.kind === 'roll-back') return { ...guest, power: action.resumes ? 'running' : 'stopped' };
  if (action.kind === 'restart') return { ...guest, power: 'running' };
  return action.kind === 'power' ? { ...guest, power: action.to } : guest;
}

/** A guest that was just made: off, in the pool that was asked for, and nothing of it managed by HA. */
function newGuest({ vmid, node, params }: Of<'create' | 'clone'>): ObservedGuest {
  const { pool, description } = params;
  return {
    vmid,
    node,
    digest: '',
    current: {},
    pending: {},
    power: 'stopped',
    lock: undefined,
    pool: pool === undefined ? undefined : String(pool),
    haManaged: false,
    template: false,
    ...describedBy(String(description ?? '')),
  };
}

function configured(guest: ObservedGuest, action: Of<'configure'>): ObservedGuest {
  const current = { ...guest.current, ...action.set };
  action.delete.forEach(key => delete current[key]);
  const { description } = action.set;
  return { ...guest, current, ...(description === undefined ? {} : describedBy(description)) };
}

function describedBy(description: string): Pick<ObservedGuest, 'description' | 'mark'> {
  const { text, mark } = readDescription(description);
  return { description: text, mark: mark === 'damaged' ? undefined : mark };
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
