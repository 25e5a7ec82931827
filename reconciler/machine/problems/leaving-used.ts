import { untouched } from '../../action';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { leavingDisks, type LeavingDisk } from './leaving-disks';

/**
 * Disks that are to be moved or deleted while another guest names their volume: Proxmox does both without a word, and that
 * guest does not start any more. Guests that the caller does not see are not asked, as for a destroy (docs/adr/0020).
 */
export function leavingUsed(scene: Scene): Problem[] {
  // nobody has had the time to attach a disk of a guest that is being made
  if (scene.origin === 'cloned' || scene.origin === 'blank') return [];
  const leaving = leavingDisks(scene);
  if (leaving.length === 0) return [];
  const uses = scene.context.facts.ask('volumeUse', leaving.map(({ file }) => file).join(' ')) ?? {};
  return leaving.flatMap(disk => {
    const users = uses[disk.file]?.users ?? [];
    return users.length === 0 ? [] : [used(disk, users)];
  });
}

function used({ name, slot, file, toDo, field, from, to }: LeavingDisk, users: readonly string[]): Problem {
  const verb = users.length === 1 ? 'uses' : 'use';
  const detail = `Disk "${name}" (${slot}, ${file}) is to ${toDo}, and ${users.join(', ')} ${verb} it: that would not start any more.`;
  const remedy = `Detach it there first, in its snapshots too (qm config VMID tells the slot, qm set VMID --delete SLOT), or leave the disk in the spec as it was. Running again is safe.`;
  return { field, from, to, ...untouched('volume-used', detail, remedy) };
}
