import { diskType, type DiskSpec } from '../../../spec';
import { changedDisk } from './disk-changed';
import { missingDisk } from './disk-missing';
import { isDisk } from '../../guest/drive';
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
