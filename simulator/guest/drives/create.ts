import { Failure, fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { isFileStorage } from '../../storage/plugins';
import { storageNamed } from '../../storage/on-node';
import { requireVolumeAccess } from '../../storage/volumes/access';
import { parseVolumeName, splitVolumeId, trySplitVolumeId } from '../../storage/volumes/name';
import {
  allocateVolume,
  freeVolume,
  requireVolume,
  toBase,
  tryFindVolume,
} from '../../storage/volumes/volumes';
import type { Config, Volume } from '../../world';
import type { Drive } from './drive';
import { drivesOf, isCloudInit, isDriveKey, parseDrive, printDrive } from './drive';
import { CLOUD_INIT_SIZE, efiDiskSize, TPM_STATE_SIZE } from './firmware';
import { importDisk } from './import';
import { isNewCloudInit, newDiskOf } from './allocation';
import { formatDiskSize } from '../../schema/formats/disk-size';

/** What a create or a config request wants of its drives. */
export interface DiskWrite {
  sim: Sim;
  /** Who asks. */
  user: string;
  node: string;
  vmid: number;
  /** The guest's configuration as it is, with what pends over it; empty at a create. */
  config: Config;
  /** The request's settings, as `checkDriveParameters` returned them. Keys that are no drives are skipped. */
  settings: Config;
  /** For drives that name no storage. */
  defaultStorage?: string;
  log(line: string): void;
}

/**
 * Does what the drive values of a request ask for: allocates `store:8`, imports, makes the cloud-init drive, EFI disk and
 * TPM state, looks up what is attached. Returns the configuration lines, with sizes, by key; it writes no configuration.
 *
 * How to use it: `checkDriveParameters` and `checkDriveAccess` (disk-checks.ts) before the task or the lock; then, inside,
 * this; then put each line into pending or config. A drive whose slot is taken goes to `registerUnusedDrive`, a deleted
 * one to `deleteOrDetachDrive`, a deleted `unusedN` to `tryDeallocateDrive`, and after each change of the drives
 * `dropReattached` (all in detach-drive.ts).
 *
 * Logs `KEY: successfully created disk '…'` for each new volume, in the order of the keys. Takes no simulated time. When
 * one drive fails, all that this call has allocated is freed and the failure is thrown as it is: a create puts its own
 * `unable to create VM N - ` in front.
 */
export function createDisks(write: DiskWrite): Config {
  const lines: Config = {};
  const made: string[] = [];
  try {
    for (const key of Object.keys(write.settings).filter(isDriveKey).sort()) {
      const drive = parseDrive(key, write.settings[key] ?? '');
      lines[key] = place(write, drive, lines, made);
    }
  } catch (error) {
    for (const volid of made) free(write, volid);
    throw error;
  }
  return lines;
}

/** One drive: the line for the configuration. What it allocates is pushed onto `made`. */
function place(write: DiskWrite, drive: Drive, lines: Config, made: string[]): string {
  if (drive.file === 'none' || drive.file === 'cdrom') {
    delete drive.options['size'];
    return printDrive(drive);
  }
  const fresh = newDiskOf(drive.file);
  if (!fresh && !isNewCloudInit(drive.file)) return attach(write, drive, lines);
  const line = fresh ? create(write, drive, fresh, made) : createCloudInit(write, drive, lines, made);
  write.log(`${drive.key}: successfully created disk '${line}'`);
  return line;
}

function create(
  write: DiskWrite,
  drive: Drive,
  wanted: { storage?: string; gib: number },
  made: string[],
): string {
  const { sim, node, vmid } = write;
  const storage = wanted.storage ?? write.defaultStorage;
  if (storage === undefined) fail('no storage ID specified (and no default storage)');
  const source = drive.options['import-from'];
  const { volume, size } =
    source === undefined
      ? allocate(write, drive, storage, wanted.gib)
      : importDisk(sim, { user: write.user, node, vmid, drive, storage, source, log: write.log });
  made.push(volume.volid);
  if (write.config['template'] === '1') made.splice(-1, 1, toBase(sim, volume).volid);
  drive.file = volume.volid;
  drive.options['size'] = formatDiskSize(size);
  delete drive.options['format'];
  delete drive.options['import-from'];
  return printDrive(drive);
}

function allocate(
  write: DiskWrite,
  drive: Drive,
  storage: string,
  gib: number,
): { volume: Volume; size: number } {
  const sizes: Record<string, number> = { efidisk0: efiDiskSize(drive), tpmstate0: TPM_STATE_SIZE };
  // PVE: the size goes to the storage in KiB, rounded up
  const size = sizes[drive.key] ?? Math.ceil(gib * 1024 ** 2) * 1024;
  const format = drive.options['format'];
  const volume = allocateVolume(write.sim, {
    storage,
    node: write.node,
    vmid: write.vmid,
    size,
    ...(format === undefined ? {} : { format }),
  });
  return { volume, size: drive.key === 'efidisk0' ? volume.size : size };
}

function createCloudInit(write: DiskWrite, drive: Drive, lines: Config, made: string[]): string {
  const { sim, node, vmid } = write;
  refuseSecondCloudInit(write, drive, lines);
  const id = trySplitVolumeId(drive.file)?.storage ?? write.defaultStorage;
  if (id === undefined) fail('no storage ID specified (and no default storage)');
  const files = isFileStorage(storageNamed(sim, id).type);
  const format = drive.options['format'] ?? (files ? 'qcow2' : 'raw');
  const name = `vm-${vmid}-cloudinit${files ? `.${format}` : ''}`;
  const volume = allocateVolume(sim, { storage: id, node, vmid, format, name, size: CLOUD_INIT_SIZE });
  made.push(volume.volid);
  drive.file = volume.volid;
  drive.options['media'] = 'cdrom';
  delete drive.options['format'];
  return printDrive(drive);
}

function attach(write: DiskWrite, drive: Drive, lines: Config): string {
  const { sim, node, vmid, user } = write;
  requireVolumeAccess(sim, user, drive.file, { vmid });
  // a path outside of all storages: the simulated nodes have no such files
  if (!trySplitVolumeId(drive.file)) fail(`volume ${drive.file} does not exist`);
  const { storage, rest } = splitVolumeId(drive.file);
  const { content, format } = parseVolumeName(storageNamed(sim, storage), rest);
  if (content !== 'images' && content !== 'iso') {
    fail(`cannot use volume ${drive.file} - content type needs to be 'images' or 'iso'`);
  }
  const wanted = drive.options['format'];
  if (wanted !== undefined && wanted !== format) {
    fail(
      `drive '${drive.key}' - volume '${drive.file}' - 'format=${wanted}' option different from storage format '${format}'`,
    );
  }
  if (isCloudInit(drive)) refuseSecondCloudInit(write, drive, lines);
  const { size } = requireVolume(sim, node, drive.file);
  drive.options['size'] = formatDiskSize(size);
  return printDrive(drive);
}

function refuseSecondCloudInit({ config }: DiskWrite, { key }: Drive, lines: Config): void {
  const other = [...drivesOf(config), ...drivesOf(lines)].find(each => each.key !== key && isCloudInit(each));
  if (other) fail(`${key} - cloud-init drive is already attached at '${other.key}'`);
}

/** Frees what a failed write has allocated; a volume that cannot be freed stays behind, as on a cluster. */
function free({ sim, node }: DiskWrite, volid: string): void {
  const volume = tryFindVolume(sim, node, volid);
  if (!volume) return;
  try {
    freeVolume(sim, volume);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
