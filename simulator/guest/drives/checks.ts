import { requirePrivileges } from '../../access/privileges';
import { failParameters } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { contentOf, storageNamed } from '../../storage/on-node';
import { requireVolumeAccess } from '../../storage/volumes/access';
import { volumeAtPath } from '../../storage/volumes/at-path';
import { parseVolumeName, trySplitVolumeId } from '../../storage/volumes/name';
import type { Config } from '../../world';
import type { Drive } from './drive';
import { isCdrom, isDriveKey, isUnusedKey, parseDrive, printDrive } from './drive';
import { isNewCloudInit, newDiskOf } from './allocation';

/**
 * Checks the drive values of a create or config request, before anything else looks at them, and returns all settings
 * with the drives in canonical form (allocation syntax kept). Fails with a 400 per drive, or a 500 for a bad volume name.
 */
export function checkDriveParameters(sim: Sim, settings: Config): Config {
  const checked = { ...settings };
  for (const key of Object.keys(settings).filter(isDriveKey).sort()) {
    const drive = parseDrive(key, settings[key] ?? '');
    if (!optionsAreSound(drive)) failParameters({ [key]: 'unable to parse drive options' });
    checkImport(drive);
    resolvePath(sim, drive);
    checkIso(sim, drive);
    checked[key] = printDrive(drive);
  }
  return checked;
}

/**
 * Checks that the user may use the storages and volumes that the drives and unused entries of a request name, and that
 * the storages take disks. To be called before the task starts, with what `checkDriveParameters` returned.
 */
export function checkDriveAccess(
  sim: Sim,
  user: string,
  vmid: number,
  settings: Config,
  defaultStorage?: string,
): void {
  for (const key of Object.keys(settings).filter(isDriveKey).sort()) {
    const drive = parseDrive(key, settings[key] ?? '');
    checkFile(sim, user, vmid, drive, defaultStorage);
    const source = drive.options['import-from'];
    if (source !== undefined) checkSource(sim, user, vmid, key, source);
  }
  for (const key of Object.keys(settings).filter(isUnusedKey).sort()) {
    const { file } = parseDrive(key, settings[key] ?? '');
    if (!trySplitVolumeId(file)) failParameters({ [key]: `not a valid volid: ${file}` });
    requireVolumeAccess(sim, user, file, { vmid, content: 'images' });
  }
}

const NEEDS: readonly (readonly [string, string])[] = [
  ['mbps_max', 'mbps'],
  ['mbps_rd_max', 'mbps_rd'],
  ['mbps_wr_max', 'mbps_wr'],
  ['bps_max_length', 'mbps_max'],
  ['bps_rd_max_length', 'mbps_rd_max'],
  ['bps_wr_max_length', 'mbps_wr_max'],
  ['iops_max_length', 'iops_max'],
  ['iops_rd_max_length', 'iops_rd_max'],
  ['iops_wr_max_length', 'iops_wr_max'],
];
const EXCLUDES: readonly (readonly [string, string])[] = [
  ['mbps_rd', 'mbps'],
  ['mbps_wr', 'mbps'],
  ['iops_rd', 'iops'],
  ['iops_wr', 'iops'],
];

function optionsAreSound({ key, options }: Drive): boolean {
  const has = (name: string): boolean => !['', '0', undefined].includes(options[name]);
  if (NEEDS.some(([option, needed]) => has(option) && !has(needed))) return false;
  if (EXCLUDES.some(([one, other]) => has(one) && has(other))) return false;
  if (options['media'] !== 'cdrom') return true;
  return !has('snapshot') && !has('format') && !key.startsWith('virtio');
}

const IMPORT_NEEDS: Record<string, readonly string[]> = {
  efidisk0: ['efitype', 'pre-enrolled-keys'],
  tpmstate0: ['version'],
};

function checkImport({ key, file, options }: Drive): void {
  if (options['import-from'] === undefined) return;
  if (newDiskOf(file)?.gib !== 0) {
    failParameters({
      [key]: "'import-from' requires special syntax - use <storage ID>:0,import-from=<source>",
    });
  }
  const missing = IMPORT_NEEDS[key]?.find(name => options[name] === undefined);
  if (missing !== undefined)
    failParameters({ [key]: `need to specify '${missing}' when using 'import-from'` });
}

/** Turns a file system path into the volume id that stands there. */
function resolvePath(sim: Sim, drive: Drive): void {
  const { key, file, options } = drive;
  if (!/^(cdrom|none)$|^\/dev\/.+|^[^:]+:.+$|^\d+$/.test(file)) {
    const found = volumeAtPath(sim, file);
    if (!found) failParameters({ [key]: `unable to associate path '${file}' to any storage` });
    if (found.content === 'iso') options['media'] ??= 'cdrom';
    const expected = options['media'] === 'cdrom' ? 'iso' : 'images';
    if (found.content !== expected) {
      failParameters({ [key]: `unexpected media type (${found.content} != ${expected})` });
    }
    drive.file = found.volid;
  }
  if (/^(cdrom|none)$/.test(file)) options['media'] ??= 'cdrom';
}

function checkIso(sim: Sim, { key, file, options }: Drive): void {
  const volume = trySplitVolumeId(file);
  if (!volume || newDiskOf(file) || isNewCloudInit(file)) return;
  const { content } = parseVolumeName(storageNamed(sim, volume.storage), volume.rest);
  if (content === 'iso' && options['media'] !== 'cdrom') {
    failParameters({ [key]: "explicit 'media=cdrom' is required for iso images" });
  }
}

function checkFile(sim: Sim, user: string, vmid: number, drive: Drive, defaultStorage?: string): void {
  const { key, file } = drive;
  if (file === 'none' || isNewCloudInit(file)) return;
  const fresh = newDiskOf(file);
  if (isCdrom(drive) && file === 'cdrom') {
    requirePrivileges(sim, user, '/', ['Sys.Console']);
  } else if (!isCdrom(drive) && fresh) {
    const id = fresh.storage ?? defaultStorage ?? '';
    requirePrivileges(sim, user, `/storage/${id}`, ['Datastore.AllocateSpace']);
    if (!contentOf(storageNamed(sim, id)).includes('images')) {
      failParameters({ storage: `storage '${id}' does not support vm images` });
    }
  } else {
    requireVolumeAccess(sim, user, file, { vmid });
    const volume = trySplitVolumeId(file);
    if (!volume) return;
    const { content } = parseVolumeName(storageNamed(sim, volume.storage), volume.rest);
    if (content !== 'images' && content !== 'iso') {
      failParameters({ [key]: "content type needs to be 'images' or 'iso'" });
    }
  }
}

function checkSource(sim: Sim, user: string, vmid: number, key: string, source: string): void {
  const split = trySplitVolumeId(source);
  const volume = split && parseVolumeName(storageNamed(sim, split.storage), split.rest);
  if (volume && volume.content !== 'images' && volume.content !== 'import') {
    failParameters({
      [key]: `${source} has wrong type '${volume.content}' - needs to be 'images' or 'import'`,
    });
  }
  if (volume?.vmid === undefined) requireVolumeAccess(sim, user, source, { vmid });
  else requirePrivileges(sim, user, `/vms/${volume.vmid}`, ['VM.Clone']);
}
