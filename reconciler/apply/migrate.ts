import type { ObservedGuest } from '../observed';
import type { GuestAddress, Pve, TaskWait } from '../pve';
import { PveError, migrateGuest, readStatus } from '../pve';
import { waitForHa } from '../waits/wait-for-ha';

/** Moves a guest to another node, with the disks that only its node has, and waits until it is there. */
export async function migrate(
  pve: Pve,
  guest: ObservedGuest,
  { to, online }: { to: string; online: boolean },
  wait: TaskWait,
): Promise<void> {
  // PVE: off, a guest takes its local disks along without a word
  const how = online ? { online, 'with-local-disks': true } : {};
  await migrateGuest(pve, guest, { target: to, ...how }, wait);
  if (!guest.haManaged) return;
  const there = { vmid: guest.vmid, node: to };
  await waitForHa(pve, there, { to, isThere: () => isThere(pve, there) }, wait);
}

async function isThere(pve: Pve, there: GuestAddress): Promise<boolean> {
  try {
    await readStatus(pve, there);
    return true;
  } catch (error) {
    if (error instanceof PveError && error.kind === 'not-found') return false;
    throw error;
  }
}
