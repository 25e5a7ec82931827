import { formatSize, isImported, type DiskSpec } from '../../../spec';
import { busOf } from '../../guest/slot-names';
import { readDrive } from '../../guest/drive';
import { isCloned } from '../../mark/image-words';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** What the spec says of a disk that is there and that cannot become true of it. */
export function changedDisk(disk: DiskSpec, slot: string, text: string, scene: Scene): Problem[] {
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
  const back = `set ${field} to "${from}"`;
  // The image brings this disk: a machine made anew would have it again, unless the image's own is small enough
  const { image } = scene.spec;
  const isRoot = disk.name === 'root';
  const brought = isRoot && isCloned(image);
  // how large the disk of a file is, nobody tells before it is imported
  const imported = isRoot && field === 'size' && image !== undefined && isImported(image);
  if (!brought && !imported) return { remedy: `In disks[${disk.name}] ${back}.`, rebuild: 'disks' as const };
  // it may have been grown since
  if (imported || (field === 'size' && scene.origin === 'kept'))
    return {
      remedy: `In disks[root] ${back}: no disk shrinks.`,
      rebuild: fitsImage(disk, scene) ? ('disks' as const) : undefined,
    };
  const rebuild = field === 'size' && fitsImage(disk, scene) ? ('disks' as const) : undefined;
  return { remedy: `The image brings this disk: use another image, or ${back}.`, rebuild };
}

const EXTENT = 4 * 2 ** 20;

/** Storages that allocate in extents of 4 MiB round up: a disk that is larger by less than one is no shrink (assumed). */
function isShrunk(wanted: number | undefined, bytes: number): boolean {
  return wanted !== undefined && Math.ceil(wanted / EXTENT) * EXTENT < bytes;
}

function fitsImage(disk: DiskSpec, { context: { source }, slots }: Scene): boolean {
  const { bytes } = readDrive(source?.config?.[slots.disks[disk.name] ?? '']);
  return bytes !== undefined && !isShrunk(disk.size, bytes);
}
