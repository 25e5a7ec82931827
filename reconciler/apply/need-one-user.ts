import { readDrive } from '../guest/drive';
import { isUnusedKey } from '../guest/key-kinds';
import type { ObservedGuest } from '../observed';
import { changed } from '../observe/guest';
import type { VolumeUser } from '../observe/volume-users';

/** Who uses the volumes of a guest. */
export interface VolumeUse {
  /** Another guest that names one of these volumes now. */
  userNow: (volumes: readonly string[], own: number) => Promise<VolumeUser | undefined>;
  /** Whether the guest is there because this very run made it. */
  madeHere?: boolean;
}

/**
 * Throws where another guest names a volume that the next write frees: asked directly before it, as PVE compares nothing
 * and anybody may attach a volume at any time. Then the guest is read and planned anew, and that is refused in words.
 * Asked are as many guests as for a destroy (docs/adr/0020).
 */
export async function needOneUser(
  { userNow, madeHere = false }: VolumeUse,
  guest: ObservedGuest,
  slots: readonly string[],
): Promise<void> {
  // nobody has had the time to attach a disk of a guest that this very run is making
  if (slots.length === 0 || (madeHere && guest.mark?.isUnfinished === true)) return;
  const volumes = slots.map(slot => readDrive(guest.current[slot]).file);
  const used = await userNow(volumes, guest.vmid);
  if (used !== undefined) throw changed(guest, `${used.guest} uses ${used.volume} now, too`);
}

/** The keys of a write whose deletion frees the volume: one that is detached only becomes such a key. */
export function freedBy(gone: readonly string[]): string[] {
  return gone.filter(isUnusedKey);
}
