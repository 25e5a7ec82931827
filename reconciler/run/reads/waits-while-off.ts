import { lostByForce } from '../../guest/losses';
import { isOnlySign } from '../../guest/next-boot';
import { takeBackLine } from '../../guest/take-back';
import type { ObservedGuest } from '../../observed';
import { pendingText } from '../../plan/others-pending';
import { readStatus, type Pve } from '../../pve';

/**
 * Why nothing is written to a guest that is off and in which something waits: Proxmox applies all of that with any write to
 * it (behaviour.md §4), where its mark alone is meant. Undefined: it may be written to. One request, and none where nothing
 * waits: the listing may lag behind a guest that went off.
 */
export async function waitsWhileOff(
  pve: Pve,
  guest: ObservedGuest,
): Promise<{ why: string; remedy: string } | undefined> {
  const keys = Object.keys(guest.pending).filter(key => isChange(guest, key));
  if (keys.length === 0 || (await readStatus(pve, guest)).status === 'running') return undefined;
  const lost = lostByForce(guest).map(({ slot }) => slot);
  const changes = keys.map(key => pendingText(key, guest, lost)).join('; ');
  // a template never starts
  const meant = guest.template ? '' : `; where it is meant, start it (qm start ${guest.vmid})`;
  return {
    why: `it is off, and what waits in Proxmox would take effect with any write to it: ${changes}`,
    remedy: `To keep that out, take it back (${takeBackLine(guest, keys)})${meant}. Then run this again: that is safe.`,
  };
}

/** A sign of our own that a boot is awaited says nothing else than what is there. */
function isChange({ current, pending }: ObservedGuest, key: string): boolean {
  const waiting = pending[key];
  return waiting !== current[key] && !(key === 'smbios1' && isOnlySign(waiting, current[key]));
}
