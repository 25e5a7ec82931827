import type { ObservedGuest } from '../observed';
import type { GuestAddress, Pve, TaskWait } from '../pve';
import { PveError, migrateGuest, readStatus, steady, waitUntil } from '../pve';

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
  // HA's task ends at once; the guest was seen to follow 8 to 13 s later
  if (guest.haManaged) await waitForArrival(pve, { vmid: guest.vmid, node: to }, wait);
}

async function waitForArrival(pve: Pve, there: GuestAddress, { timeoutMs, signal }: TaskWait): Promise<void> {
  const wait = { rhythm: steady(pve.config.poll), until: Date.now() + timeoutMs, signal };
  if (await waitUntil(() => isThere(pve, there), wait)) return;
  const text = `HA has not brought it to ${there.node} in time`;
  throw new PveError('failed', { method: 'GET', path: `/nodes/${there.node}/qemu/${there.vmid}`, text });
}

async function isThere(pve: Pve, there: GuestAddress): Promise<true | undefined> {
  try {
    await readStatus(pve, there);
    return true;
  } catch (error) {
    if (error instanceof PveError && error.kind === 'not-found') return undefined;
    throw error;
  }
}
