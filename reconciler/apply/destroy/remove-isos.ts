import { isDataIsoOf } from '../../machine/data-iso/data-iso-name';
import type { ObservedGuest } from '../../observed';
import { sameGuest, type Warn } from '../../observe/guest';
import { usersOf } from '../../observe/volume-users';
import { deleteVolume, listIsos, type Pve, type StorageVolume, type TaskWait, isOneLess } from '../../pve';

/** What it takes to remove files that belong to a guest. */
export interface Removal {
  pve: Pve;
  /** Reads the quorum now, and throws where there is none. */
  needQuorum: () => Promise<void>;
  wait: TaskWait;
  warn: Warn;
  /** Nodes of which nothing is asked: their guests may use any of the files. */
  leftOut?: ReadonlySet<string>;
}

/**
 * Removes the ISOs with a machine's cloud-init data, before its guest: they are found by its mark. One that another
 * guest uses stays, and is reported. Safe to run again.
 */
export async function removeIsos(
  guest: ObservedGuest,
  { pve, needQuorum, wait, warn, leftOut }: Removal,
): Promise<void> {
  const { mark } = guest;
  if (!mark) return;
  for (const place of mark.dataIsoPlaces ?? []) {
    const [storage = '', node = guest.node] = place.split('@');
    const rows = await listOr(() => listIsos(pve, node, storage), place, warn);
    const files = rows.filter(({ volid }) => isDataIsoOf(volid, mark.owner, [mark.machine]));
    for (const { volid } of files) {
      await needQuorum();
      await sameGuest(pve, guest);
      const own = `guest ${guest.vmid} on ${guest.node}`;
      const users = await usersOf(pve, [{ volume: volid, node }], { leftOut });
      const others = (users.get(volid) ?? []).filter(user => user !== own);
      if (others.length > 0) {
        warn(`${volid} stays: ${others.join(', ')} may use it.`);
        continue;
      }
      await deleteVolume(pve, node, volid, wait);
    }
  }
}

/** A storage that is gone or out of reach must not keep the guest: what may be there is reported. */
async function listOr(
  list: () => Promise<StorageVolume[]>,
  place: string,
  warn: (text: string) => void,
): Promise<StorageVolume[]> {
  try {
    return await list();
  } catch (error) {
    if (!isOneLess(error)) throw error;
    warn(`the ISOs with its cloud-init data on ${place} could not be listed, and stay: ${error.message}`);
    return [];
  }
}
