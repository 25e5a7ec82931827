import { untouched } from '../../action';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { leavingDisks, type LeavingDisk } from './leaving-disks';
import { numberOf } from './volume-use';

/**
 * Disks that are to be moved or deleted while another guest names their volume: Proxmox does both without a word, and that
 * guest does not start any more. Guests that the caller does not see are not asked, as for a destroy (docs/adr/0020).
 */
export function leavingUsed(scene: Scene): Problem[] {
  if (isBeingMade(scene)) return [];
  const leaving = leavingDisks(scene);
  if (leaving.length === 0) return [];
  const uses = scene.context.facts.ask('leavingUse', leaving.map(({ file }) => file).join(' ')) ?? {};
  return leaving.flatMap(disk => {
    const { users = [], owner } = uses[disk.file] ?? {};
    return users.length === 0 ? [] : [used(disk, scene.vmid, users, owner)];
  });
}

/** By this very run: nobody has had the time to attach its disks. Of a creation that another run began somebody may have. */
function isBeingMade({ origin, place, mark, context }: Scene): boolean {
  if (origin !== 'cloned' && origin !== 'blank') return false;
  return place !== undefined || mark?.uuid === context.done.uuid;
}

function used(
  { name, slot, file, toDo, field, from, to }: LeavingDisk,
  vmid: number,
  users: readonly string[],
  owner: string | undefined,
): Problem {
  const verb = users.length === 1 ? 'uses' : 'use';
  const detail = `Disk "${name}" (${slot}, ${file}) is to ${toDo}, and ${users.join(', ')} ${verb} it: that would not start any more.`;
  const isTheirs = owner !== undefined && users.includes(owner);
  const way = isTheirs ? giveToThis(owner, vmid, slot) : detachThere;
  return { field, from, to, ...untouched('volume-used', detail, `${way} ${OR_LEAVE}`) };
}

const OR_LEAVE = 'Or leave the disk in the spec as it was. Running again is safe.';

const detachThere =
  'Detach it there first, in its snapshots too (qm config VMID tells the slot, qm set VMID --delete SLOT); never delete an unusedN there.';

/** PVE: the guest whose number a volume has keeps it as unusedN when it is detached, and deleting that frees it for all. */
function giveToThis(owner: string, vmid: number, slot: string): string {
  const number = numberOf(owner);
  const move = `qm disk move ${number} SLOT --target-vmid ${vmid} --target-disk unused0`;
  return `The volume has the number of ${owner}. Detach it here first (qm set ${vmid} --delete ${slot}: that deletes nothing); give it to this machine, on the same node (${move}, or a free number; qm config ${number} tells the slot), and say its new name as existingVolume. Never delete its slot or an unusedN there: the volume would go.`;
}
