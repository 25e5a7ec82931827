import { changed, sameGuest } from '../observe/guest';
import type { ObservedGuest } from '../observed';
import { listSnapshots, type Pve } from '../pve';

/**
 * The guest directly before it is stopped. One that is stopped to be a template must have no snapshot: Proxmox makes none
 * of it then (behaviour.md §16.7), and it would stay off for nothing. The configuration names only the last one.
 */
export async function nowToStop(pve: Pve, guest: ObservedGuest): Promise<ObservedGuest> {
  const isToBe = guest.mark?.becomesTemplate === true && !guest.template;
  const list = isToBe ? await listSnapshots(pve, guest) : [];
  const read = await sameGuest(pve, guest);
  const last = isToBe ? (list[0]?.name ?? read.current['parent']) : undefined;
  if (last !== undefined)
    throw changed(read, `guest ${read.vmid} is to be a template, and has a snapshot now: ${last}`);
  return read;
}
