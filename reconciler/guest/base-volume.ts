import type { Configuration } from './configuration';
import { isDisk, readDrive } from './drive';
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

/** On these a template keeps its disks as they are, and has no linked clones. */
const KEEPS: readonly string[] = ['lvm', 'iscsi', 'iscsidirect'];

export interface TemplateDisk {
  slot: string;
  file: string;
  storage: string;
}

type Storages = readonly { name: string; type: string }[];

/** The disks of a template that Proxmox renames and has not renamed: its node went down while it did (assumed). */
export function disksNotRenamed(config: Configuration, storages: Storages): TemplateDisk[] {
  return plainDisks(config).filter(disk => RENAMES.includes(typeOf(disk, storages)));
}

/** The disks of a template of which Proxmox makes no linked clone. */
export function disksNotLinkable(config: Configuration, storages: Storages): TemplateDisk[] {
  return plainDisks(config).filter(disk => [...RENAMES, ...KEEPS].includes(typeOf(disk, storages)));
}

function typeOf({ storage }: TemplateDisk, storages: Storages): string {
  return storages.find(({ name }) => name === storage)?.type ?? '';
}

function plainDisks(config: Configuration): TemplateDisk[] {
  return Object.entries(config).flatMap(([slot, text]) => {
    if (!isDriveKey(slot) || !isDisk(text)) return [];
    const { file, storage } = readDrive(text);
    const isBase = /[:/]base-\d+-[^/]*$/.test(file);
    return storage === undefined || isBase ? [] : [{ slot, file, storage }];
  });
}
