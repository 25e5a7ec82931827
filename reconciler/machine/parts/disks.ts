import { DRIVE_OPTIONS, GiB, type DiskSpec, BURST_LENGTHS, LIMIT_BURSTS, LIMIT_HALVES } from '../../../spec';
import { propertiesOf } from '../../guest/configuration';
import { defaultStorage } from '../default-storage';
import { readDrive } from '../../guest/drive';
import { restatedOr } from './restated';
import type { Part, Scene } from '../scene';
import { wantsAsIs, wantsInside, type FieldTable, type Want } from '../want';
import type { Properties } from '../../pve/keys/property-string';

const LIMITS = 'limits.';
const PLAIN = Object.entries(DRIVE_OPTIONS).flatMap(([property, { field, isPlain }]): [string, string][] =>
  field !== undefined && isPlain ? [[field, property]] : [],
);
const isLimit = ([field]: [string, string]): boolean => field.startsWith(LIMITS);

/** Where the fields of a disk stand in its line, and those of its limits. */
export const DISK: FieldTable = Object.fromEntries(PLAIN.filter(each => !isLimit(each)));
export const DISK_LIMITS: FieldTable = Object.fromEntries(
  PLAIN.filter(isLimit).map(([field, property]) => [field.slice(LIMITS.length), property]),
);

/**
 * Disks by name: their properties, new volumes in empty slots, and the slots of those that left the spec.
 * Of sizes, resize-and-move.ts knows how they grow, and problems/disk-problems.ts that they do not shrink.
 */
export const disks: Part = scene => [
  ...(scene.spec.disks ?? []).flatMap(disk => diskWants(disk, scene)),
  ...Object.entries(scene.slots.goneDisks).map(([name, key]) => ({
    field: `disks[${name}]`,
    key,
    value: null,
  })),
];

function diskWants(disk: DiskSpec, scene: Scene): Want[] {
  const slot = scene.slots.disks[disk.name];
  if (slot === undefined) return [];
  const field = `disks[${disk.name}]`;
  const wants = [
    ...wantsInside(field, slot, DISK, {
      ...disk,
      discard: disk.discard === undefined ? undefined : disk.discard ? 'on' : 'ignore',
      // PVE: the serial stands percent-encoded
      serial: disk.serial === undefined ? undefined : encodeURIComponent(disk.serial),
    }),
    ...wantsInside(`${field}.limits`, slot, DISK_LIMITS, disk.limits ?? {}),
    ...wantsAsIs(`${field}.options`, slot, disk.options ?? {}),
  ];
  if (scene.next[slot] !== undefined) {
    const gone = supersededLimits(disk, propertiesOf(slot, scene.next[slot]), DISK_LIMITS);
    const removed = gone.map(want => ({ ...want, field: `${field}.${want.field}`, key: slot }));
    return [...grownMeanwhile(field, slot, scene), ...removed, ...wants];
  }
  const volume = restatedOr(field, slot, scene, () => wantsAsIs(field, slot, volumeOf(disk, scene)));
  return volume.length === 0 ? [] : [...volume, ...wants].map(want => ({ ...want, field }));
}

/** PVE: a line that waits for a restart keeps the size that it was written with, and brings it back then. */
function grownMeanwhile(field: string, slot: string, { running, next }: Scene): Want[] {
  const { size } = propertiesOf(slot, running[slot]);
  const [today, then] = [readDrive(running[slot]), readDrive(next[slot])];
  // PVE: a line that is written gets the volume's own size, which storages round up from what a resize asked for
  const isSmaller = today.bytes !== undefined && then.bytes !== undefined && then.bytes < today.bytes;
  if (today.file !== then.file || size === undefined || !isSmaller) return [];
  return [{ field: `${field}.size`, key: slot, property: 'size', value: size }];
}

/**
 * The volume of a disk that is not there yet: one that exists, or a new one.
 * PVE: `store:8` on a slot that has a disk makes a second volume, so this is asked for empty slots only.
 */
function volumeOf({ name, size, format, existingVolume, ...disk }: DiskSpec, scene: Scene): object {
  if (existingVolume !== undefined) return { file: existingVolume };
  const storage = disk.storage ?? defaultStorage(scene);
  if (storage === undefined) return {};
  const image = name === 'root' ? scene.place?.image : undefined;
  // PVE: a disk that is filled has the size 0 here, and that of the image then; it grows afterwards (recording 07)
  if (image !== undefined) return { file: `${storage}:0`, 'import-from': image.volume, format };
  // PVE: GiB without a unit. Whole MiB are exact decimals of it
  return size === undefined ? {} : { file: `${storage}:${size / GiB}`, format };
}

/**
 * Limits that a drive has, that the spec does not name, and that Proxmox refuses beside those that it does: a total
 * beside its half, a burst without its limit or below it. They go, for the drive's line cannot hold both.
 */
function supersededLimits(
  { limits: said = {}, options = {} }: DiskSpec,
  have: Properties,
  table: FieldTable,
): Pick<Want, 'field' | 'property' | 'value'>[] {
  const names: Readonly<Record<string, number | undefined>> = said;
  const there = (limit: string): number => Number(have[table[limit] ?? limit] ?? 0);
  const isSaid = (limit: string): boolean => Number(names[limit] ?? 0) > 0;
  const gone = new Map<string, string>();
  const drop = (limit: string, cause: string): void => {
    if (names[limit] === undefined && there(limit) > 0) gone.set(limit, cause);
  };
  for (const [total, halves] of LIMIT_HALVES) {
    for (const half of halves) {
      if (isSaid(total)) drop(half, total);
      if (isSaid(half)) drop(total, half);
    }
  }
  for (const [burst, base] of LIMIT_BURSTS) {
    const cause = gone.get(base) ?? base;
    const usual = names[base];
    if (gone.has(base) || (usual !== undefined && (usual === 0 || usual > there(burst)))) drop(burst, cause);
  }
  for (const [length, burst] of Object.entries(BURST_LENGTHS)) {
    const cause = gone.get(burst) ?? (names[burst] === 0 ? burst : undefined);
    if (cause !== undefined && options[length] === undefined && there(length) > 0) gone.set(length, cause);
  }
  return [...gone].map(([limit, cause]) => ({
    field: `limits.${cause}`,
    property: table[limit] ?? limit,
    value: null,
  }));
}
