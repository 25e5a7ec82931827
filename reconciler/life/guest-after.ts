import { type Action, type ActionOf, makesGuest } from '../action';
import { describedAs } from '../observe/guest';
import type { ObservedGuest } from '../observed';

/**
 * A guest as an action that went well leaves it, as far as that is known without reading it. It has no digest: what
 * needs one reads the guest again.
 */
export function guestAfter(action: Action, before: ObservedGuest | undefined): ObservedGuest | undefined {
  if (makesGuest(action)) return newGuest(action);
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
  if (action.kind === 'restart') return restarted(guest, action);
  return action.kind === 'power' ? { ...guest, power: action.to } : guest;
}

/** A guest that was just made: off, in the pool that was asked for, and nothing of it managed by HA. */
function newGuest({ vmid, node, params }: ActionOf<'create' | 'clone'>): ObservedGuest {
  const { pool, description } = params;
  const made: ObservedGuest = {
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
    description: '',
    mark: undefined,
  };
  return describedAs(made, String(description ?? ''));
}

function configured(guest: ObservedGuest, action: ActionOf<'configure'>): ObservedGuest {
  const current = { ...guest.current, ...action.set };
  action.delete.forEach(key => delete current[key]);
  const { description } = action.set;
  const written = { ...guest, current };
  return description === undefined ? written : describedAs(written, description);
}

function restarted(guest: ObservedGuest, { description }: ActionOf<'restart'>): ObservedGuest {
  const runs: ObservedGuest = { ...guest, power: 'running' };
  return description === undefined ? runs : describedAs(runs, description);
}
