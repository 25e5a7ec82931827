import { diskType, formatSize, isImported, MiB, parseSize, type DiskSpec } from '../../../spec';
import { defaultStorage } from '../default-storage';
import { isDisk, readDrive } from '../../guest/drive';
import { busOf } from '../../guest/slot-names';
import { isCloned } from '../../mark/image-words';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** What the spec wants of its disks and Proxmox cannot do in place. */
export function diskProblems(scene: Scene): Problem[] {
  return (scene.spec.disks ?? []).flatMap(disk => {
    const slot = scene.slots.disks[disk.name];
    if (slot === undefined) return [noSlot(disk)];
    const text = scene.running[slot] ?? scene.next[slot];
    if (text !== undefined && isDisk(text)) return changedDisk(disk, slot, text, scene);
    const missing = missingDisk(disk, slot, scene);
    if (missing === undefined) return [];
    const { why, detail, remedy } = missing;
    return [
      { field: `disks[${disk.name}]`, to: slot, why, detail: `Disk "${disk.name}" ${detail}.`, remedy },
    ];
  });
}

function noSlot(disk: DiskSpec): Problem {
  const to = diskType(disk);
  const detail = `Disk "${disk.name}" finds no free ${to} slot.`;
  const remedy = 'Give it another type, or remove a disk.';
  return { field: `disks[${disk.name}]`, to, why: 'no-slot', detail, remedy };
}

/** Why a disk of the spec that is not there cannot be made. */
function missingDisk(
  { name, existingVolume, size, storage }: DiskSpec,
  slot: string,
  scene: Scene,
): Pick<Problem, 'why' | 'detail' | 'remedy'> | undefined {
  const { spec, next, origin, place, vmid } = scene;
  // an unread source: what it brings is not known before the clone is there
  const isRead = Object.keys(next).length > 0;
  const isRoot = name === 'root';
  if (next[slot] !== undefined) {
    const detail = `is to be in ${slot}, where there is a CD-ROM drive`;
    return { why: 'slot-taken', detail, remedy: 'Give it another slot, or remove slot.' };
  }
  if (isRoot && (isCloned(spec.image) || isImported(spec.image)) && isRead) {
    const again = `Attach its volume to ${slot} again (Proxmox lists it as unused), or remove the machine.`;
    const anew = `Its clone was cut short: remove it (qm destroy ${vmid}), and run again: it is made anew.`;
    const detail = `comes with the image and is not in ${slot}`;
    return { why: 'disk-lost', detail, remedy: origin === 'cloned' ? anew : again };
  }
  if (existingVolume !== undefined || (origin !== 'blank' && !isRead)) return undefined;
  if (size === undefined && !(isRoot && place?.image !== undefined)) {
    const detail = 'has no size, and nothing brings it';
    return { why: 'disk-size', detail, remedy: 'Give it a size, such as "20G".' };
  }
  if (storage !== undefined || defaultStorage(scene) !== undefined) return undefined;
  const detail = 'has no storage, and no other disk tells one';
  return { why: 'disk-storage', detail, remedy: 'Give it a storage.' };
}

/** What the spec says of a disk that is there and that cannot become true of it. */
function changedDisk(disk: DiskSpec, slot: string, text: string, scene: Scene): Problem[] {
  return differences(disk, slot, text).map(({ field, from, to, cannot }) => ({
    field: `disks[${disk.name}].${field}`,
    from,
    to,
    why: `disk-${field}`,
    detail: `Disk "${disk.name}" ${cannot}.`,
    ...remedyFor(field, from, disk, scene),
  }));
}

interface Difference {
  field: 'slot' | 'type' | 'existingVolume' | 'size';
  from: string;
  to: string;
  cannot: string;
}

function differences(disk: DiskSpec, slot: string, text: string): Difference[] {
  const { bytes, file } = readDrive(text);
  const found: Difference[] = [];
  const differ = (field: Difference['field'], from: string, to: string | undefined, cannot: string): void => {
    if (to !== undefined && from !== to) found.push({ field, from, to, cannot: `${cannot} ${to}` });
  };
  const bus = busOf(slot) ?? slot;
  if (disk.slot === undefined) differ('type', bus, disk.type, `is a ${bus} disk and cannot become`);
  else differ('slot', slot, disk.slot, `is in ${slot} and cannot move to`);
  differ('existingVolume', file, disk.existingVolume, `is ${file} and cannot become`);
  if (bytes !== undefined && isShrunk(disk.size, bytes)) {
    const from = formatSize(bytes);
    differ('size', from, formatSize(disk.size ?? 0), `has ${from} and cannot shrink to`);
  }
  return found;
}

function remedyFor(field: Difference['field'], from: string, disk: DiskSpec, scene: Scene) {
  const found = remedyOf(field, from, disk, scene);
  return field === 'size' && mayBeRounded(from, disk) ? { ...found, rebuild: undefined } : found;
}

/** Whether its storage may have made a disk as much larger: what is made anew would be as large again (assumed). */
function mayBeRounded(from: string, { size = 0 }: DiskSpec): boolean {
  return (parseSize(from) ?? 0) - size < LARGEST_EXTENT;
}

function remedyOf(field: Difference['field'], from: string, disk: DiskSpec, scene: Scene) {
  const back = `set ${field} to "${from}"`;
  // The image brings this disk: a machine made anew would have it again, unless the image's own is small enough
  const { image } = scene.spec;
  const isRoot = disk.name === 'root';
  const brought = isRoot && isCloned(image);
  // how large the disk of a file is, nobody tells before it is imported
  const imported = isRoot && field === 'size' && image !== undefined && isImported(image);
  if (!brought && !imported) return { remedy: `In disks[${disk.name}] ${back}.`, rebuild: 'disks' as const };
  const rebuild = field === 'size' && fitsImage(disk, scene) ? ('disks' as const) : undefined;
  // it may have been grown since
  const mayBeGrown = imported || (field === 'size' && scene.origin === 'kept');
  if (mayBeGrown) return { remedy: `In disks[root] ${back}: no disk shrinks.`, rebuild };
  return { remedy: `The image brings this disk: use another image, or ${back}.`, rebuild };
}

const EXTENT = 4 * MiB;
/** An administrator may give a volume group larger ones, of a power of two. */
const LARGEST_EXTENT = 128 * MiB;

/** Storages that allocate in extents of 4 MiB round up: a disk that is larger by less than one is no shrink (assumed). */
function isShrunk(wanted: number | undefined, bytes: number): boolean {
  return wanted !== undefined && Math.ceil(wanted / EXTENT) * EXTENT < bytes;
}

function fitsImage(disk: DiskSpec, { place, slots }: Scene): boolean {
  const { bytes } = readDrive(place?.source?.config?.[slots.disks[disk.name] ?? '']);
  return bytes !== undefined && !isShrunk(disk.size, bytes);
}
