import { isDisk, readDrive } from './machine/drive';
import type { ObservedGuest } from './observed';
import type { Pve } from './pve';
import { listImages } from './pve';
import { DRIVE_SLOTS } from './slot-names';

/** The ids of the guests whose disks stand on a template's disks, as its storages tell. */
export async function linkedClones(pve: Pve, { node, vmid, current }: ObservedGuest): Promise<number[]> {
  const storages = DRIVE_SLOTS.filter(slot => isDisk(current[slot])).flatMap(
    slot => readDrive(current[slot] ?? '').storage ?? [],
  );
  const lists = await Promise.all([...new Set(storages)].map(storage => listImages(pve, node, storage)));
  const base = new RegExp(`(?:^|[:/])base-${vmid}-`);
  const clones = lists
    .flat()
    .filter(volume => (base.test(volume.volid) || base.test(volume.parent ?? '')) && volume.vmid !== vmid)
    .flatMap(volume => volume.vmid ?? []);
  return [...new Set(clones)].sort((one, other) => one - other);
}
