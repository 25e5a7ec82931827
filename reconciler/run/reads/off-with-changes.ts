import { waitingKeys } from '../../guest/waiting';
import type { ObservedGuest } from '../../observed';
import { readStatus, type Pve } from '../../pve';

/** Whether a guest is off, and something waits in it. One request, and none where nothing waits. */
export async function isOffWithChanges(pve: Pve, guest: ObservedGuest): Promise<boolean> {
  return waitingKeys(guest).length > 0 && (await readStatus(pve, guest)).status !== 'running';
}
