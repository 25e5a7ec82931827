import type { Losses } from '../../../spec';
import { lossesOf } from '../../guest/losses';
import type { ObservedGuest } from '../../observed';
import { listSnapshots, type Pve, type Snapshot } from '../../pve';

/** What a destroy of a guest takes, as it was read. One request, and only where the guest has a snapshot. */
export async function lossesNow(pve: Pve, guest: ObservedGuest): Promise<Losses> {
  return lossesOf(guest, await snapshotsOf(pve, guest));
}

/** The snapshots of a guest. PVE: a guest that has one names the last one in its configuration. */
export async function snapshotsOf(pve: Pve, guest: ObservedGuest): Promise<Snapshot[]> {
  return guest.current['parent'] === undefined ? [] : listSnapshots(pve, guest);
}
