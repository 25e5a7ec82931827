import { requirePrivileges } from '../../access/privileges';
import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { ownerOf, splitVolumeId } from '../../storage/volumes/name';
import { freeVolume, tryFindVolume } from '../../storage/volumes/volumes';
import type { Config, Guest } from '../../world';
import type { Drive } from './drive';
import { drivesOf, isCdrom, isCloudInit, isUnusedKey, parseDrive, unusedOf } from './drive';

/** Whether the volume id names a volume of this guest. It need not exist. */
export function ownsVolume(sim: Sim, vmid: number, volid: string): boolean {
  return ownerOf(sim.world, volid) === vmid;
}

/** Whether a drive or a snapshot of the guest uses the volume as a disk, other than the drive in `exceptKey`. */
export function isVolumeInUse(guest: Guest, volid: string, exceptKey?: string): boolean {
  const uses = (config: Config, except?: string): boolean =>
    drivesOf(config).some(drive => drive.key !== except && !isCdrom(drive) && drive.file === volid);
  return uses(guest.config, exceptKey) || Object.values(guest.snapshots).some(({ config }) => uses(config));
}

/** Puts the volume into the lowest free `unusedN` and returns the key; undefined when it already stands in one. */
export function addUnusedVolume(config: Config, volid: string): string | undefined {
  if (unusedOf(config).some(({ file }) => file === volid)) return undefined;
  const key = Array.from({ length: 256 }, (_, index) => `unused${index}`).find(
    each => config[each] === undefined,
  );
  if (key === undefined) fail('Too many unused volumes - please delete them first.');
  config[key] = volid;
  return key;
}

/** What becomes of a drive that leaves its slot: a cloud-init volume is freed, an own disk becomes unused, the rest is forgotten. */
export function registerUnusedDrive(sim: Sim, guest: Guest, drive: Drive): void {
  if (isCloudInit(drive)) {
    const volume = tryFindVolume(sim, guest.node, drive.file);
    if (volume) freeVolume(sim, volume);
    delete guest.cloudInitChanges;
    return;
  }
  if (!isCdrom(drive) && ownsVolume(sim, guest.vmid, drive.file)) addUnusedVolume(guest.config, drive.file);
}

/** Removes the `unusedN` entries whose volumes are drives again. To be called after each change of the drives. */
export function dropReattached(guest: Pick<Guest, 'config' | 'pending'>): void {
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
  if (!ownsVolume(sim, guest.vmid, drive.file)) return true;
  const { storage } = splitVolumeId(drive.file);
  requirePrivileges(sim, user, `/storage/${storage}`, ['Datastore.AllocateSpace']);
  if (isVolumeInUse(guest, drive.file, drive.key)) {
    fail(`unable to delete '${drive.file}' - volume is still in use (snapshot?)`);
  }
  const volume = tryFindVolume(sim, guest.node, drive.file);
  if (volume) freeVolume(sim, volume);
  return true;
}

/** Takes the drive in `key` off a guest: its disk becomes unused, or is destroyed with `force`. The caller deletes the key. */
export function deleteOrDetachDrive(sim: Sim, guest: Guest, key: string, user: string, force: boolean): void {
  const drive = parseDrive(key, guest.config[key] ?? '');
  if (!force) {
    registerUnusedDrive(sim, guest, drive);
    return;
  }
  requirePrivileges(sim, user, `/vms/${guest.vmid}`, ['VM.Config.Disk']);
  tryDeallocateDrive(sim, guest, drive, user, true);
}
