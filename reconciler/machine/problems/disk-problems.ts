import { isImported, diskType, type DiskSpec } from '../../../spec';
import { defaultStorage } from '../default-storage';
import { changedDisk } from './disk-changed';
import { isDisk } from '../../guest/drive';
import { isCloned } from '../../mark/image-words';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** What the spec wants of its disks and Proxmox cannot do in place. */
export function diskProblems(scene: Scene): Problem[] {
  return (scene.spec.disks ?? []).flatMap(disk => {
    const slot = scene.slots.disks[disk.name];
    if (slot === undefined) return [noSlot(disk)];
    const text = scene.current[slot] ?? scene.config[slot];
    return text !== undefined && isDisk(text)
      ? changedDisk(disk, slot, text, scene)
      : missingDisk(disk, slot, scene);
  });
}

function noSlot(disk: DiskSpec): Problem {
  const type = diskType(disk);
  return {
    field: `disks[${disk.name}]`,
    to: type,
    why: 'no-slot',
    detail: `Disk "${disk.name}" finds no free ${type} slot.`,
    remedy: 'Give it another type, or remove a disk.',
  };
}

/** Why a disk of the spec that is not there cannot be made. */
function missingDisk(disk: DiskSpec, slot: string, scene: Scene): Problem[] {
  const row = ROWS.find(({ holds }) => holds(disk, slot, scene));
  if (!row) return [];
  return [
    {
      field: `disks[${disk.name}]`,
      to: slot,
      why: row.why,
      detail: `Disk "${disk.name}" ${row.detail(slot)}.`,
      remedy: row.remedy(slot, scene),
    },
  ];
}

interface Row {
  holds: (disk: DiskSpec, slot: string, scene: Scene) => boolean;
  why: string;
  detail: (slot: string) => string;
  remedy: (slot: string, scene: Scene) => string;
}

/** The first one that holds is told. */
const ROWS: readonly Row[] = [
  {
    holds: (_, slot, { config }) => config[slot] !== undefined,
    why: 'slot-taken',
    detail: slot => `is to be in ${slot}, where there is a CD-ROM drive`,
    remedy: () => 'Give it another slot, or leave slot away.',
  },
  {
    // An unread source: what it brings is not known before the clone is there
    holds: ({ name }, _, { spec, config }) =>
      name === 'root' && (isCloned(spec.image) || isImported(spec.image)) && Object.keys(config).length > 0,
    why: 'disk-lost',
    detail: slot => `comes with the image and is not in ${slot}`,
    remedy: (slot, { origin, vmid }) =>
      origin === 'cloned'
        ? `Its clone was cut short: remove it (qm destroy ${vmid}), and run again: it is made anew.`
        : `Attach its volume to ${slot} again (Proxmox lists it as unused), or remove the machine.`,
  },
  {
    holds: ({ name, existingVolume, size }, _, { config, origin, context }) =>
      !(name === 'root' && context.image !== undefined) &&
      existingVolume === undefined &&
      size === undefined &&
      (origin === 'blank' || Object.keys(config).length > 0),
    why: 'disk-size',
    detail: () => 'has no size, and nothing brings it',
    remedy: () => 'Give it a size, such as "20G".',
  },
  {
    holds: (disk, _, scene) =>
      disk.existingVolume === undefined &&
      disk.storage === undefined &&
      defaultStorage(scene) === undefined &&
      (scene.origin === 'blank' || Object.keys(scene.config).length > 0),
    why: 'disk-storage',
    detail: () => 'has no storage, and no other disk tells one',
    remedy: () => 'Give it a storage.',
  },
];
