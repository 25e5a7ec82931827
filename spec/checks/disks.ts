import { AT_CREATE } from '../fields/defaults';
import { DISK_TYPES, LAST_SLOT, type DiskSpec, type DiskType } from '../machine/disk';
import type { MachineSpec } from '../machine/machine';
import { under, type Finding } from '../reading/problem';
import { DRIVE_OPTIONS } from '../values/pve-keys';
import { diskLimitFindings } from './disk-limits';
import { optionFindings } from './options';
import { repeated } from './repeated';

/** The bus of a disk: said, or in its slot, or the default of creation. */
export function diskType({ type, slot }: Pick<DiskSpec, 'type' | 'slot'>): DiskType {
  const bySlot = DISK_TYPES.find(known => slot?.replace(/\d+$/, '') === known);
  return type ?? bySlot ?? AT_CREATE.disk.type;
}

/** Disks that contradict themselves or each other. */
export function* diskFindings(machine: MachineSpec): Iterable<Finding> {
  const disks = machine.disks ?? [];
  yield* repeated(disks, 'disks', 'name', 'a disk is known by its name');
  yield* repeated(disks, 'disks', 'slot', 'a slot holds one disk');
  yield* repeated(disks, 'disks', 'existingVolume', 'a volume is one disk');
  for (const type of DISK_TYPES) {
    const most = LAST_SLOT[type] + 1;
    const many = disks.filter(disk => diskType(disk) === type).length;
    if (many > most) {
      yield {
        path: ['disks'],
        reason: `has ${many} disks of type ${type}`,
        allowed: `at most ${most}`,
        remedy: 'Give some another type.',
      };
    }
  }
  for (const [i, disk] of disks.entries()) {
    const at = (field: string) => ['disks', i, field];
    yield* under(['disks', i], oneDisk(disk, machine));
    yield* optionFindings(
      disk.options ?? {},
      at('options'),
      name => driveOption(name, diskType(disk)),
      DRIVE_OPTIONS,
    );
  }
}

function driveOption(name: string, type: DiskType) {
  const key = Object.hasOwn(DRIVE_OPTIONS, name) ? DRIVE_OPTIONS[name] : undefined;
  if (key === undefined) return undefined;
  if (key.only === undefined || key.only.includes(type)) return { key };
  return { key: { reserved: `only ${key.only.join(', ')} disks have it, and this is a ${type} disk` } };
}

function* oneDisk(disk: DiskSpec, machine: MachineSpec): Iterable<Finding> {
  yield* volumeFindings(disk, machine);
  const type = diskType(disk);
  for (const { field, types } of ONLY_ON) {
    if (disk[field] !== true || types.some(possible => possible === type)) continue;
    yield {
      path: [field],
      reason: `is not possible on a ${type} disk`,
      allowed: `on ${types.join(', ')}`,
      remedy: 'Remove it, or use type "scsi".',
    };
  }
  // QEMU: native AIO needs O_DIRECT, which only these two modes give.
  if (disk.aio === 'native' && !['none', 'directsync'].includes(disk.cache ?? 'none')) {
    yield {
      path: ['aio'],
      reason: `does not go with cache "${disk.cache}"`,
      allowed: 'native with cache none or directsync',
      remedy: 'Use aio "io_uring", or cache "none".',
    };
  }
  yield* diskLimitFindings(disk);
}

/** Where the disk is, and where its volume comes from. */
function* volumeFindings(disk: DiskSpec, { image, adopt }: MachineSpec): Iterable<Finding> {
  const { name, slot, size, storage, existingVolume } = disk;
  const type = diskType(disk);
  if (slot !== undefined && slot.replace(/\d+$/, '') !== type) {
    yield {
      path: ['slot'],
      reason: `is no slot of type ${type}`,
      allowed: `${type}0 to ${type}${LAST_SLOT[type]}`,
      remedy: 'Change the slot, or remove type.',
    };
  }
  // The disk of the image is the one named root, or the one whose slot is its boot disk.
  const imageHasDisk = image?.blank === undefined && image?.iso === undefined;
  const mayBeBrought = imageHasDisk && (name === 'root' || slot !== undefined);
  if (size === undefined && existingVolume === undefined && adopt !== true && !mayBeBrought) {
    yield {
      path: ['size'],
      kind: 'missing',
      reason: 'is required: no image brings this disk',
      allowed: 'a size such as "20G"',
      remedy: 'Add it.',
    };
  }
  if (storage !== undefined && existingVolume !== undefined && !existingVolume.startsWith(`${storage}:`)) {
    yield {
      path: ['storage'],
      reason: `is not where existingVolume is (${existingVolume})`,
      remedy: 'Remove storage, or make the two agree.',
    };
  }
}

// PVE: the drive formats of ide and sata have no iothread and no ro, that of virtio no ssd.
const ONLY_ON = [
  { field: 'iothread', types: ['scsi', 'virtio'] },
  { field: 'readOnly', types: ['scsi', 'virtio'] },
  { field: 'ssd', types: ['ide', 'sata', 'scsi'] },
] as const satisfies readonly { field: keyof DiskSpec; types: readonly DiskType[] }[];
