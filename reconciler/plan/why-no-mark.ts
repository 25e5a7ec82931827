import { lostByForce } from '../guest/losses';
import { takeBackLine } from '../guest/take-back';
import { waitingKeys } from '../guest/waiting';
import type { ObservedGuest } from '../observed';
import { pendingText } from './others-pending';

/**
 * Why nothing is written to a guest that is off and in which something waits: Proxmox applies all of that with any write to
 * it (behaviour.md §4), where its mark alone is meant. `isOff`: as Proxmox says it now, for the listing may lag behind.
 * Undefined: it may be written to. Pure.
 */
export function whyNoMark(guest: ObservedGuest, isOff: boolean): { why: string; remedy: string } | undefined {
  const keys = waitingKeys(guest);
  if (keys.length === 0 || !isOff) return undefined;
  const lost = lostByForce(guest).map(({ slot }) => slot);
  const changes = keys.map(key => pendingText(key, guest, lost)).join('; ');
  // a template never starts
  const meant = guest.template ? '' : `; where it is meant, start it (qm start ${guest.vmid})`;
  return {
    why: `it is off, and what waits in Proxmox would take effect with any write to it: ${changes}`,
    remedy: `To keep that out, take it back (${takeBackLine(guest, keys)})${meant}. Then run this again: that is safe.`,
  };
}
