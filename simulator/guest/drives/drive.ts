import type { Config } from '../../world';

/** A drive line taken apart. `file` is the volume id, a path, `none`, `cdrom` or the allocation form `store:8`. */
export interface Drive {
  key: string;
  file: string;
  /** Everything but the file, as text; flags are 0 and 1. */
  options: Record<string, string>;
}

const COUNTS: Record<string, number> = { ide: 4, sata: 6, scsi: 31, virtio: 16, efidisk: 1, tpmstate: 1 };
const FLAGS = new Set(
  'backup detect_zeroes iothread pre-enrolled-keys replicate ro scsiblock shared snapshot ssd'.split(' '),
);
const ALIASES: Record<string, string> = {
  volume: 'file',
  bps_rd_length: 'bps_rd_max_length',
  bps_wr_length: 'bps_wr_max_length',
  iops_rd_length: 'iops_rd_max_length',
  iops_wr_length: 'iops_wr_max_length',
};

/** All drive keys in Proxmox's order, which also picks the first boot disk: ide, scsi, virtio, sata, efidisk0, tpmstate0. */
export const DRIVE_KEYS: readonly string[] = ['ide', 'scsi', 'virtio', 'sata', 'efidisk', 'tpmstate'].flatMap(
  bus => Array.from({ length: COUNTS[bus] ?? 0 }, (_, index) => `${bus}${index}`),
);

// PVE: these turn into mbps, but it converts "is there a value" (1 byte) and not the value
const BYTE_LIMITS = new Set(['bps', 'bps_rd', 'bps_wr']);

const KNOWN = new Set(DRIVE_KEYS);

/** Whether the key is a slot for a drive; `unusedN` is not. */
export function isDriveKey(key: string): boolean {
  return KNOWN.has(key);
}

/** Whether the key is `unused0` to `unused255`. */
export function isUnusedKey(key: string): boolean {
  const index = /^unused(0|[1-9]\d{0,2})$/.exec(key)?.[1];
  return index !== undefined && Number(index) <= 255;
}

/** Takes a drive line apart. Never fails: the schema has checked what came from a caller. */
export function parseDrive(key: string, text: string): Drive {
  const drive: Drive = { key, file: '', options: {} };
  for (const part of text.split(',').filter(each => each.trim() !== '')) {
    const at = part.indexOf('=');
    const name = at < 0 ? 'file' : part.slice(0, at).trim();
    const value = at < 0 ? part : part.slice(at + 1);
    const real = ALIASES[name] ?? name;
    if (real === 'file') drive.file = value;
    else if (BYTE_LIMITS.has(real)) drive.options[`m${real}`] = '0.000';
    else drive.options[real] = FLAGS.has(real) ? flag(value) : value;
  }
  return drive;
}

function flag(value: string): string {
  return /^(1|on|yes|true)$/i.test(value) ? '1' : '0';
}

/** The line as Proxmox writes it: the file first, then the options by name. */
export function printDrive(drive: Drive): string {
  const options = Object.entries(drive.options).sort(([left], [right]) => (left < right ? -1 : 1));
  return [drive.file, ...options.map(([name, value]) => `${name}=${value}`)].join(',');
}

/** The drives of a configuration in the order of `DRIVE_KEYS`, without the unused ones. */
export function drivesOf(config: Config): Drive[] {
  return DRIVE_KEYS.flatMap(key => {
    const text = config[key];
    return text === undefined ? [] : [parseDrive(key, text)];
  });
}

/** The unused volumes of a configuration, by key. */
export function unusedOf(config: Config): Drive[] {
  return Object.keys(config)
    .filter(isUnusedKey)
    .map(key => parseDrive(key, config[key] ?? ''));
}

/** Whether the drive is a CD-ROM, empty or not; a cloud-init drive counts unless it is excluded. */
export function isCdrom(drive: Drive, excludeCloudInit = false): boolean {
  if (excludeCloudInit && isCloudInit(drive)) return false;
  return drive.options['media'] === 'cdrom';
}

/** Whether the drive holds, or asks for, the generated cloud-init image. */
export function isCloudInit(drive: Drive): boolean {
  return /[:/](?:vm-\d+-)?cloudinit(?:\.(?:raw|qcow2|qed|vmdk|qcow|cloop))?$/.test(drive.file);
}
