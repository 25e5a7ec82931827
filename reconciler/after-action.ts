import type { Action } from './action';
import { readDescription } from './mark';
import type { ObservedGuest } from './observed';

type Of<K extends Action['kind']> = Extract<Action, { kind: K }>;

/**
 * A guest as an action that went well leaves it, as far as that is known without reading it. It has no digest: what
 * needs one reads the guest again.
 */
export function guestAfter(action: Action, before: ObservedGuest | undefined): ObservedGuest | undefined {
  if (action.kind === 'create' || action.kind === 'clone') return newborn(action);
  if (!before) return undefined;
  const guest = { ...before, digest: '' };
  if (action.kind === 'configure') return configured(guest, action);
  return action.kind === 'migrate' ? { ...guest, node: action.to } : guest;
}

/** A guest that was just made: off, and nothing of it managed by HA. */
function newborn({ vmid, node, params }: Of<'create' | 'clone'>): ObservedGuest {
  const unread = { digest: '', current: {}, pending: {}, lock: undefined, pool: undefined };
  const said = describedBy(String(params['description'] ?? ''));
  return { vmid, node, ...unread, ...said, power: 'stopped', haManaged: false, template: false };
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
