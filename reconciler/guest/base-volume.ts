import type { Configuration } from './configuration';
import { isDisk, isOwnVolume, readDrive } from './drive';
import { isDriveKey } from './key-kinds';

/** By type: the storages on which Proxmox renames the disks of what becomes a template. Others are not judged. */
const RENAMES: readonly string[] = [
  'dir',
  'nfs',
  'cifs',
  'cephfs',
  'btrfs',
  'lvmthin',
  'zfspool',
  'zfs',
  'rbd',
];

export interface TemplateDisk {
  slot: string;
  file: string;
  storage: string;
}

type Storages = readonly { name: string; type: string }[];

/**
 * The own disks of a template that Proxmox renames and has not renamed, beside some that it has: its node went down while
 * it did (assumed). Where none is renamed, the server may rename none at all.
 */
export function disksNotRenamed(config: Configuration, vmid: number, storages: Storages): TemplateDisk[] {
  const disks = disksOf(config).filter(disk => RENAMES.includes(typeOf(disk, storages)));
  return disks.some(isBase) ? disks.filter(disk => !isBase(disk) && isOwnVolume(disk.file, vmid)) : [];
}

function typeOf({ storage }: TemplateDisk, storages: Storages): string {
  return storages.find(({ name }) => name === storage)?.type ?? '';
}

const isBase = ({ file }: TemplateDisk): boolean => /[:/]base-\d+-[^/]*$/.test(file);

function disksOf(config: Configuration): TemplateDisk[] {
  return Object.entries(config).flatMap(([slot, text]) => {
    if (!isDriveKey(slot) || !isDisk(text)) return [];
    const { file, storage } = readDrive(text);
    return storage === undefined ? [] : [{ slot, file, storage }];
  });
}
