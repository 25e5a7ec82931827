import type { ObservedGuest } from '../observed';
import { pendingChanges } from './pending';

/** That the guest may have other addresses after its next restart, and how it gets them. Undefined: nothing of that waits. */
export function waitingAddresses(guest: ObservedGuest, addresses: readonly string[]): string | undefined {
  const all = pendingChanges(guest);
  const cards = all.filter(({ field }) => field.startsWith('networks['));
  // data that says another name alone gives no other address
  const isOther = guest.mark?.keepsData !== true && all.some(({ field }) => field === 'cloudInit');
  if (cards.length === 0 && !isOther) return undefined;
  const has =
    addresses.length === 0 ? 'no address is known now' : `${addresses.join(', ')} is what it has now`;
  const lines = cards.map(({ field, to }) => (to === undefined ? field : `${field} ${to}`));
  const data = isOther ? ['other cloud-init data, which may give it another address'] : [];
  const comes = [...lines, ...data].join(', and ');
  return `${has}. With the next restart of guest ${guest.vmid} on ${guest.node} comes: ${comes}. Restart it, or say restart: "whenNeeded" and apply`;
}
