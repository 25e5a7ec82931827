import { Failure, fail } from '../failure';
import type { Sim } from '../sim';
import { storageNamed } from '../storage/storage-on';
import { parseVolumeName, splitVolumeId } from '../storage/volume-name';
import { findVolume, freeVolume } from '../storage/volumes';
import type { Config, Guest } from '../world';
import type { Drive } from './drive';
import { drivesOf, isCdrom, isCloudInit, parseDrive } from './drive';

/** Keeps a volume in the first free `unusedN`; one that is there already stays where it is. Gives its key. */
export function addUnused(config: Config, volid: string): string {
  const keys = Array.from({ length: 256 }, (_, index) => `unused${index}`);
  const known = keys.find(key => config[key] === volid);
  if (known !== undefined) return known;
  const free = keys.find(key => config[key] === undefined);
  if (free === undefined) fail('Too many unused volumes - please delete them first.');
  config[free] = volid;
  return free;
}

/** What happens to a drive's volume when the drive goes: the cloud-init image is removed, an own disk becomes unused. */
export function registerUnused(sim: Sim, guest: Guest, drive: Drive): void {
  if (isCloudInit(drive)) {
    attempt(() => {
      const volume = findVolume(sim, guest.node, drive.file);
      if (volume) freeVolume(sim, volume);
    });
    delete guest.cloudInitChanges;
  } else if (!isCdrom(drive) && ownsVolume(sim, guest.vmid, drive.file)) {
    addUnused(guest.config, drive.file);
  }
}

/** Takes a drive out of the configuration's use; with force its volume is destroyed. The key itself stays. */
export function detachDrive(sim: Sim, guest: Guest, key: string, force: boolean): void {
  const drive = parseDrive(key, guest.config[key] ?? '');
  if (force) deallocate(sim, guest, drive);
  else registerUnused(sim, guest, drive);
}

/** Destroys a drive's volume when it is the guest's own. Fails while something else of the guest still uses it. */
export function deallocate(sim: Sim, guest: Guest, drive: Drive): void {
  if (isCdrom(drive, true) || !ownsVolume(sim, guest.vmid, drive.file)) return;
  if (isInUse(guest, drive)) {
    fail(`unable to delete '${drive.file}' - volume is still in use (snapshot?)`);
  }
  const volume = findVolume(sim, guest.node, drive.file);
  if (volume) freeVolume(sim, volume);
}

/** Whether the volume's name says that it belongs to this guest. */
export function ownsVolume(sim: Sim, vmid: number, volid: string): boolean {
  if (volid.startsWith('/')) return false;
  return (
    attempt(() => {
      const { storage, rest } = splitVolumeId(volid);
      return parseVolumeName(storageNamed(sim, storage), rest).vmid === vmid;
    }) ?? false
  );
}

function isInUse(guest: Guest, drive: Drive): boolean {
  const others = drivesOf(guest.config).filter(({ key }) => key !== drive.key);
  const snapshots = Object.values(guest.snapshots);
  return (
    others.some(({ file }) => file === drive.file) ||
    snapshots.some(({ config }) => drivesOf(config).some(({ file }) => file === drive.file))
  );
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
