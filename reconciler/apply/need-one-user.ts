import { readDrive } from '../guest/drive';
import { isUnusedKey } from '../guest/key-kinds';
import type { ObservedGuest } from '../observed';
import { changed } from '../observe/guest';
import { linesOfAll, usedByOthers } from '../observe/volume-users';
import type { Pve } from '../pve';

/**
 * Throws where another guest names a volume that the next write frees: asked directly before it, as PVE compares nothing
 * and anybody may attach a volume at any time. Then the guest is read and planned anew, and that is refused in words.
 */
export async function needOneUser(pve: Pve, guest: ObservedGuest, slots: readonly string[]): Promise<void> {
  // nobody has had the time to attach a disk of a guest that is being made
  if (slots.length === 0 || guest.mark?.isUnfinished === true) return;
  const volumes = slots.map(slot => readDrive(guest.current[slot]).file);
  const [used] = usedByOthers(await linesOfAll(pve), volumes, guest.vmid);
  if (used !== undefined) throw changed(guest, `${used.guest} uses ${used.volume} now, too`);
}

/** The keys of a write whose deletion frees the volume: one that is detached only becomes such a key. */
export function freedBy(gone: readonly string[]): string[] {
  return gone.filter(isUnusedKey);
}
