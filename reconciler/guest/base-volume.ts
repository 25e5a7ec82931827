import type { Configuration } from './configuration';
import { isDisk, isOwnVolume, readDrive } from './drive';
import { isDriveKey } from './key-kinds';

/** By type: the storages on which Proxmox renames the disks of what becomes a template. Others are not judged. */
const RENAMES = /^(?:dir|nfs|cifs|cephfs|btrfs|lvmthin|zfspool|zfs|rbd)$/;

type Storages = readonly { name: string; type: string }[];

/**
 * The slots of a template's own disks that Proxmox renames and has not renamed, beside some that it has: its node went down
 * while it did (assumed). Where none is renamed, the server may rename none at all.
 */
export function disksNotRenamed(config: Configuration, vmid: number, storages: Storages): string[] {
  const disks = Object.entries(config).flatMap(([slot, text]) => {
    if (!isDriveKey(slot) || !isDisk(text)) return [];
    const { file, storage } = readDrive(text);
    const { type = '' } = storages.find(({ name }) => name === storage) ?? {};
    return RENAMES.test(type) ? [{ slot, file, isBase: /[:/]base-\d+-[^/]*$/.test(file) }] : [];
  });
  if (!disks.some(({ isBase }) => isBase)) return [];
  return disks.filter(({ file, isBase }) => !isBase && isOwnVolume(file, vmid)).map(({ slot }) => slot);
}

/** The template whose disk is the base of a guest's: one of its disks is a difference to it. */
export function baseOf(config: Configuration): number | undefined {
  const files = Object.entries(config).flatMap(([slot, text]) =>
    isDriveKey(slot) && isDisk(text) ? [readDrive(text).file] : [],
  );
  const [, number] = files.map(file => /[:/]base-(\d+)-[^/]*\//.exec(file) ?? []).find(([all]) => all) ?? [];
  return number === undefined ? undefined : Number(number);
}
