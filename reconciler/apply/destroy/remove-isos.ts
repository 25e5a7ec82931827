import { isDataIsoOf, isRemembered, isSharedPlace } from '../../machine/data-iso/data-iso-name';
import type { ObservedGuest } from '../../observed';
import { sameGuest, type Warn } from '../../observe/same-guest';
import { seesAllGuests, unseenUsers } from '../../observe/may-see-guests';
import { usersOf } from '../../observe/volume-users';
import { deleteVolume, listIsos, type StorageVolume, type TaskWait, isOneLess } from '../../pve';
import type { Run } from '../../run/run';

/** What it takes to remove files that belong to a guest. */
export interface Removal {
  run: Run;
  wait: TaskWait;
  warn: Warn;
}

/**
 * Removes the ISOs with a machine's cloud-init data, before its guest: they are found by its mark. One that another
 * guest uses stays, and is reported. Safe to run again.
 */
export async function removeIsos(guest: ObservedGuest, removal: Removal): Promise<void> {
  const { mark } = guest;
  if (!mark) return;
  const { run, warn } = removal;
  const { pve } = run;
  for (const place of mark.dataIsoPlaces ?? []) {
    const [storage = '', node = guest.node] = place.split('@');
    const rows = await listOr(() => listIsos(pve, node, storage), place, warn);
    const files = rows
      .filter(({ volid }) => isDataIsoOf(volid, mark.owner, [mark.machine]))
      .map(({ volid: volume }) => ({ volume, node, isShared: isSharedPlace(place) }));
    // a guest that is hidden from the caller may use any of them
    if (files.length > 0 && !(await seesAllGuests(pve, run.shared.reads)))
      warn(unseenUsers(files, { isLast: true }));
    else for (const file of files) await removeUnused(file, guest, removal);
  }
}

/** Removes one file, where no other guest uses it and it is of this very guest. */
async function removeUnused(
  { volume, node, isShared }: { volume: string; node: string; isShared: boolean },
  guest: ObservedGuest,
  { run, wait, warn }: Removal,
): Promise<void> {
  const { pve } = run;
  await run.needQuorumNow();
  await sameGuest(pve, guest);
  const own = `guest ${guest.vmid} on ${guest.node}`;
  const users = (await usersOf(pve, [volume], { leftOut: run.reading.leftOut })).get(volume) ?? [];
  const others = users.filter(user => user !== own);
  if (others.length > 0) return warn(`${volume} stays: ${others.join(', ')} may use it.`);
  if (isShared && !users.includes(own) && !isRemembered(guest.mark, volume))
    return warn(
      `${volume} stays: the machine did not have it in its drive, and one of that name in another cluster with the same storage may use it. If there is none: pvesm free ${volume} on ${node}.`,
    );
  await deleteVolume(pve, node, volume, wait);
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
