import { parseSize } from '../../spec';
import { propertiesOf } from './configuration';

/** What a drive's text says of its volume. */
export interface Drive {
  /** `storage:volume`, or `none`, or `cdrom`. */
  file: string;
  storage: string | undefined;
  bytes: number | undefined;
  format: string;
}

const NO_DRIVE: Drive = { file: '', storage: undefined, bytes: undefined, format: 'raw' };

/** Reads a drive's text; an absent one names no volume. Every drive slot has the same properties. */
export function readDrive(text: string | undefined): Drive {
  if (text === undefined) return NO_DRIVE;
  const { file = '', size, format } = propertiesOf('scsi0', text);
  const volume = String(file);
  const colon = volume.indexOf(':');
  return {
    file: volume,
    storage: colon < 0 ? undefined : volume.slice(0, colon),
    bytes: size === undefined ? undefined : parseSize(String(size)),
    format: format === undefined ? formatOf(volume) : String(format),
  };
}

// Block storages name no format in the volume: there it is raw
function formatOf(volume: string): string {
  return /\.(qcow2|vmdk|raw)$/.exec(volume)?.[1] ?? 'raw';
}

/** Whether a slot's text is a disk: there is something, and no CD-ROM. */
export function isDisk(text: string | undefined): boolean {
  return text !== undefined && propertiesOf('scsi0', text).media !== 'cdrom' && !isCloudInit(text);
}

/** Whether a slot's text is PVE's own cloud-init drive. */
export function isCloudInit(text: string | undefined): boolean {
  if (text === undefined) return false;
  const file = String(propertiesOf('scsi0', text).file ?? '');
  return /[:/](?:vm-\d+-)?cloudinit(?:\.(?:qcow2|raw))?$/.test(file);
}

/** Whether a slot's text is a CD-ROM drive that is not the cloud-init drive. */
export function isCdrom(text: string | undefined): boolean {
  return text !== undefined && !isDisk(text) && !isCloudInit(text);
}

/** Whether the volume was made for this guest. A volume of another's is never deleted. */
export function isOwnVolume(file: string, vmid: number): boolean {
  return ownerOfVolume(file) === vmid;
}

/** The number of the guest that a volume was made for, as its name tells; undefined: it tells none. */
export function ownerOfVolume(file: string): number | undefined {
  // PVE: on a storage of files the folder decides, whatever the file is called
  const inFolder = /[:/](\d+)\/[^/]+$/.exec(file)?.[1];
  const named = [...file.matchAll(/(?:^|[:/])(?:vm|base)-(\d+)-/g)].at(-1)?.[1];
  const number = inFolder ?? named;
  return number === undefined ? undefined : Number(number);
}

/**
 * Whether two volumes of one storage are the same one. PVE names a clone's base in front of it where it was made, and
 * lists the volume without it once it has none any more (`rbd flatten`, `zfs promote`, a rebase; RBDPlugin.pm list_images).
 */
export function isSameVolume(one: string, other: string): boolean {
  return one === other || ownName(one) === ownName(other);
}

/** The name without that of a base: with its folder on a storage of files. */
function ownName(file: string): string | undefined {
  return /(?:^|[:/])((?:\d+\/)?[^/:]+)$/.exec(file)?.[1];
}

/** The volume that a drive's text attaches as it is: an ISO file or an image; undefined where a new one is made. */
export function existingVolume(text: string): string | undefined {
  const { file, storage } = readDrive(text);
  // PVE: a number behind the colon is a size
  const isMade = /:(?:\d+(?:\.\d+)?|cloudinit)$/.test(file);
  return storage === undefined || isMade ? undefined : file;
}
