import { requirePrivileges } from '../../access/privileges';
import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { storageNamed } from '../../storage/on-node';
import { extendedLines } from '../../storage/tool-texts';
import { isBaseName } from '../../storage/plugins';
import { parseVolumeName, splitVolumeId, volumePath } from '../../storage/volumes/name';
import { requireVolume, resizeVolume } from '../../storage/volumes/volumes';
import type { Guest, Volume } from '../../world';
import { checkDigest, checkLock } from '../conf-file/load';
import type { Drive } from '../drives/drive';
import { isCdrom, parseDrive, printDrive } from '../drives/drive';
import { formatDiskSize } from '../../schema/formats/disk-size';
import { parseSize } from '../drives/size';
import { writeConfig } from '../conf-file/write';

/** A wish to make a disk larger. */
export interface DiskResize {
  user: string;
  disk: string;
  /** `+1G`, `32G`, `4096M` or bytes. */
  size: string;
  digest: string | undefined;
  skiplock: boolean;
}

/** A resize that passed all checks. */
export interface ReadyResize {
  drive: Drive;
  volume: Volume;
  bytes: number;
}

/** Checks a wish inside its task, under the guest's lock file. Undefined: the disk has that size already. */
export function checkResize(sim: Sim, guest: Guest, wish: DiskResize): ReadyResize | undefined {
  checkDigest(guest, wish.digest);
  if (!wish.skiplock) checkLock(guest);
  const line = guest.config[wish.disk] ?? fail(`disk '${wish.disk}' does not exist`);
  const drive = parseDrive(wish.disk, line);
  const { storage, rest } = splitVolumeId(drive.file);
  parseVolumeName(storageNamed(sim, storage), rest);
  if (isCdrom(drive)) fail("you can't resize a cdrom");
  requirePrivileges(sim, wish.user, `/storage/${storage}`, ['Datastore.AllocateSpace']);
  const volume = requireVolume(sim, guest.node, drive.file);
  const grows = wish.size.startsWith('+');
  const bytes = (parseSize(wish.size.replace('+', '')) ?? 0) + (grows ? volume.size : 0);
  if (bytes < volume.size) fail('shrinking disks is not supported');
  return bytes === volume.size ? undefined : { drive, volume, bytes };
}

/** Makes the disk larger and writes its new size. Without a quorum the disk has grown when the write fails. */
export function resizeDisk(
  sim: Sim,
  guest: Guest,
  { drive, volume, bytes }: ReadyResize,
  log: (line: string) => void,
): void {
  const before = volume.size;
  if (!guest.running) refuseImmutable(sim, volume, bytes, log);
  resizeVolume(sim, volume, bytes);
  const storage = storageNamed(sim, volume.storage);
  const { type } = storage;
  if (type === 'lvm' || type === 'lvmthin') {
    extendedLines(storage, splitVolumeId(volume.volid).rest, before, volume.size).forEach(log);
  }
  // PVE: the line of qemu-img; a running qemu resizes without a word
  else if (type !== 'zfspool' && type !== 'rbd' && !guest.running) log('Image resized.');
  writeConfig(sim, guest, draft => {
    draft.config[drive.key] = printDrive({
      ...drive,
      options: { ...drive.options, size: formatDiskSize(bytes) },
    });
  });
}

/** A base in a directory is a file that nobody may write, not even root. Other storages let it grow. Recording i4, step 10. */
function refuseImmutable(sim: Sim, volume: Volume, bytes: number, log: (line: string) => void): void {
  const storage = storageNamed(sim, volume.storage);
  const { format, volid } = volume;
  if (!['dir', 'btrfs'].includes(storage.type) || !isBaseName(volid)) return;
  if (!['raw', 'qcow2'].includes(format)) return;
  const path = volumePath(storage, parseVolumeName(storage, splitVolumeId(volid).rest));
  const ahead = format === 'qcow2' ? 'metadata' : 'off';
  log(`qemu-img: Could not open '${path}': Could not open '${path}': Operation not permitted`);
  const command = `/usr/bin/qemu-img resize '--preallocation=${ahead}' -f ${format} ${path} ${bytes}`;
  fail(`command '${command}' failed: exit code 1`);
}
