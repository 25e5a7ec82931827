import type { ObservedGuest } from '../observed';
import type { Pve, TaskWait } from '../pve';
import { migrateGuest } from '../pve';
import { waitForHaMove } from '../waits/wait-for-ha-move';

/** Moves a guest to another node, with the disks that only its node has, and waits until it is there. */
export async function migrate(pve: Pve, guest: ObservedGuest, to: string, wait: TaskWait): Promise<void> {
  // Somebody may have started or stopped it since: Proxmox moves one that is off as such, whatever is said here
  const how = { online: true, 'with-local-disks': true };
  const { type } = await migrateGuest(pve, guest, { target: to, ...how }, wait);
  // Proxmox knows, whatever was listed before: HA's task ends as soon as HA was asked
  if (type === 'hamigrate') await waitForHaMove(pve, guest, to, wait);
}
