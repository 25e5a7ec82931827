import type { Losses } from '../../../spec';
import { lossesOf } from '../../guest/losses';
import type { ObservedGuest } from '../../observed';
import { listSnapshots, type Pve } from '../../pve';

/** What a destroy of a guest takes, as it was read. One request. */
export async function lossesNow(pve: Pve, guest: ObservedGuest): Promise<Losses> {
  return lossesOf(guest, await listSnapshots(pve, guest));
}

/**
 * The same where nothing is decided by it: no request for most guests. PVE: a guest that has snapshots names the last one as
 * `parent`; but not where it went back to the first one and that was deleted then, though later ones stay.
 */
export async function lossesAtHand(pve: Pve, guest: ObservedGuest): Promise<Losses> {
  return guest.current['parent'] === undefined ? lossesOf(guest) : lossesNow(pve, guest);
}
