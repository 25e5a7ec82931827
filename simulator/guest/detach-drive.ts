import { requirePrivileges } from '../access/privileges';
import type { Sim } from '../sim';
import { splitVolumeId } from '../storage/volume-name';
import type { Guest } from '../world';
import type { Drive } from './drive';
import { drivesOf, isCdrom, isUnusedKey, parseDrive, unusedOf } from './drive';
import { deallocate, ownsVolume, registerUnused } from './unused';

/** Whether a snapshot of the guest uses the volume as a disk. */
export function isInSnapshot(guest: Guest, volid: string): boolean {
  return Object.values(guest.snapshots).some(({ config }) =>
    drivesOf(config).some(drive => !isCdrom(drive) && drive.file === volid),
  );
}

/** Removes the `unusedN` entries whose volumes are drives again. To be called after each change of the drives. */
export function dropReattached(guest: Guest): void {
  const used = new Set([...drivesOf(guest.config), ...drivesOf(guest.pending)].map(({ file }) => file));
  for (const { key, file } of unusedOf(guest.config)) if (used.has(file)) delete guest.config[key];
}

/**
 * Destroys the volume of an unused entry, or of any drive with `force`; volumes of others stay. True: the key may go.
 * Fails when the user may not, or while a snapshot or another drive uses the volume.
 */
export function tryDeallocateDrive(
  sim: Sim,
  guest: Guest,
  drive: Drive,
  user: string,
  force = false,
): boolean {
  if (!(force || isUnusedKey(drive.key)) || isCdrom(drive, true)) return false;
  if (ownsVolume(sim, guest.vmid, drive.file)) {
    const { storage } = splitVolumeId(drive.file);
    requirePrivileges(sim, user, `/storage/${storage}`, ['Datastore.AllocateSpace']);
    deallocate(sim, guest, drive);
  }
  return true;
}

/** Takes the drive in `key` off a guest: its disk becomes unused, or is destroyed with `force`. The caller deletes the key. */
export function deleteOrDetachDrive(sim: Sim, guest: Guest, key: string, user: string, force: boolean): void {
  const drive = parseDrive(key, guest.config[key] ?? '');
  if (!force) {
    registerUnused(sim, guest, drive);
    return;
  }
  requirePrivileges(sim, user, `/vms/${guest.vmid}`, ['VM.Config.Disk']);
  tryDeallocateDrive(sim, guest, drive, user, true);
}
