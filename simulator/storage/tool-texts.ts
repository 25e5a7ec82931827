import type { Storage } from '../world';

// assumed: the words of lvm, zfs and qemu-img; no recording holds them

const EXTENT = 4 * 1024 ** 2;

/** The volume group, pool or directory below which a storage keeps its volumes. */
export function placeOfVolumes({ type, options }: Storage): string {
  if (type === 'zfspool') return options?.['pool'] ?? 'rpool/data';
  if (type === 'rbd') return options?.['pool'] ?? 'rbd';
  return options?.['vgname'] ?? 'pve';
}

function isLvm({ type }: Storage): boolean {
  return type === 'lvm' || type === 'lvmthin';
}

/** Why a missing volume cannot be used. */
export function missingText(storage: Storage, name: string): string {
  const place = placeOfVolumes(storage);
  if (isLvm(storage)) {
    return `can't activate LV '/dev/${place}/${name}':   Failed to find logical volume "${place}/${name}"`;
  }
  return `volume '${storage.storage}:${name}' does not exist`;
}

/** Why a missing volume cannot be removed. */
export function notRemovedText(storage: Storage, name: string): string {
  const place = placeOfVolumes(storage);
  if (isLvm(storage)) {
    return `lvremove '${place}/${name}' error:   Failed to find logical volume "${place}/${name}"`;
  }
  return `zfs error: cannot open '${place}/${name}': dataset does not exist`;
}

/** Why a volume that a running guest uses cannot be removed; undefined where it can, as files are. */
export function busyText(storage: Storage, name: string): string | undefined {
  const place = placeOfVolumes(storage);
  if (isLvm(storage)) {
    return `lvremove '${place}/${name}' error:   Logical volume ${place}/${name} in use.`;
  }
  if (storage.type === 'zfspool') {
    return `zfs error: cannot destroy '${place}/${name}': dataset is busy`;
  }
  return undefined;
}

/** Why a full copy broke off. */
export function copyFailedText(from: string, to: string): string {
  return `copy failed: command '/usr/bin/qemu-img convert -p -n -f ${from} -O ${to}' failed: exit code 1`;
}

/** Why a volume cannot get a name that is taken. */
export function takenText(storage: Storage, name: string): string {
  const place = placeOfVolumes(storage);
  if (isLvm(storage)) {
    return `lvcreate '${place}/${name}' error:   Logical Volume "${name}" already exists in volume group "${place}"`;
  }
  return `zfs error: cannot create '${place}/${name}': dataset already exists`;
}

/** Why a volume does not fit. */
export function fullText(storage: Storage, name: string, bytes: number, avail: number): string {
  const place = placeOfVolumes(storage);
  const extents = (size: number, round: (value: number) => number): number => round(size / EXTENT);
  if (storage.type === 'lvm') {
    const free = extents(avail, Math.floor);
    return `lvcreate '${place}/${name}' error:   Volume group "${place}" has insufficient free space (${free} extents): ${extents(bytes, Math.ceil)} required.`;
  }
  if (storage.type === 'lvmthin') {
    const pool = `${place}/${storage.options?.['thinpool'] ?? 'data'}`;
    return `lvcreate '${place}/${name}' error:   Cannot create new thin volume, free space in thin pool ${pool} reached threshold.`;
  }
  if (storage.type === 'zfspool') return `zfs error: cannot create '${place}/${name}': out of space`;
  return `unable to create image: qemu-img: ${name}: Could not write to file: No space left on device`;
}

/** What extending a logical volume prints. */
export function extendedLines(storage: Storage, name: string, before: number, after: number): string[] {
  const volume = `${placeOfVolumes(storage)}/${name}`;
  const say = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GiB (${bytes / EXTENT} extents)`;
  return [
    `  Size of logical volume ${volume} changed from ${say(before)} to ${say(after)}.`,
    `  Logical volume ${volume} successfully resized.`,
  ];
}
