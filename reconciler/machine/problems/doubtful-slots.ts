import { isImported, type DiskSpec } from '../../../spec';
import { untouched } from '../../action';
import { asWord } from '../../guest/as-word';
import { generationOf } from '../../guest/generation';
import { ownUnusedVolumes, volumesToFree, type UnusedVolume } from '../../guest/unused-volumes';
import { isCloned } from '../../mark/image-words';
import type { Problem } from '../problem';
import { knownVolume } from '../remembered-volumes';
import type { Scene } from '../scene';

/**
 * Disks of which nobody knows any more whether they are in their slot, or where: the guest was rolled back, restored from a
 * backup without them, or somebody took them off. A new volume would be made in their place, or another one be taken for
 * them. Without an unused volume there is nothing to mistake. Going back by `revertTo` was looked at before.
 */
export function doubtfulSlots(scene: Scene): Problem[] {
  const { spec, origin, mark, next, context, vmid } = scene;
  if (origin !== 'kept' || mark?.revertedFrom !== undefined || context.wanted.revert !== undefined) return [];
  const unused = ownUnusedVolumes(next, vmid);
  if (unused.length === 0) return [];
  return (spec.disks ?? []).flatMap(disk => {
    const back = rolledBack(disk, unused, scene);
    return back.length > 0 ? back : takenOff(disk, unused, scene);
  });
}

/**
 * PVE keeps the mark in a rollback, takes the drives back, and lists as unused what came since (behaviour.md §14.5): the
 * slot of a disk that came since may hold another one.
 */
function rolledBack(
  { name, slot: said, existingVolume }: DiskSpec,
  unused: readonly UnusedVolume[],
  { slots, mark, running, vmid }: Scene,
): Problem[] {
  const now = generationOf(running);
  const since = mark?.diskGenerations?.[name];
  const slot = slots.disks[name];
  const isSaid = said !== undefined || existingVolume !== undefined;
  if (isSaid || slot === undefined || now === undefined || since === undefined || since === now) return [];
  const detail = `VM ${vmid} was rolled back since disk "${name}" got ${slot}: its volume may be one that is unused now, ${listed(unused)}.`;
  const remedy = `Attach its volume to ${slot} in Proxmox where another one or none is there (qm set ${vmid} --${slot} VOLUME). Then say slot: "${slot}" in disks[${name}].`;
  return [{ field: `disks[${name}]`, to: slot, ...untouched('rolled-back', detail, remedy) }];
}

/**
 * A disk that the mark remembers and whose slot is empty. PVE: a restore from a backup that left it out lists its volume
 * as unused, and so does who detaches it.
 */
function takenOff(
  { name, existingVolume }: DiskSpec,
  unused: readonly UnusedVolume[],
  scene: Scene,
): Problem[] {
  const { spec, slots, mark, next, running, vmid } = scene;
  const slot = slots.disks[name];
  // that one is lost, which disk-problems.ts says
  const isBrought = name === 'root' && (isCloned(spec.image) || isImported(spec.image));
  if (isBrought || existingVolume !== undefined || slot === undefined || mark?.disks?.[name] !== slot)
    return [];
  if (next[slot] !== undefined || running[slot] !== undefined) return [];
  const leaving = volumesToFree(mark, running);
  const kept = unused.filter(({ file }) => !leaving.includes(file));
  const own = knownVolume(name, scene);
  // its own volume is gone, and the others are those of other disks
  if (kept.length === 0 || (own !== undefined && !kept.some(({ file }) => file === own))) return [];
  const volume = asWord(own, 'VOLUME');
  const detail = `disk "${name}" is not in ${slot} any more, and its volume may be one that is unused now, ${listed(kept)}: somebody took it off, or restored VM ${vmid} from a backup without it.`;
  const remedy = `Attach its volume again (qm set ${vmid} --${slot} ${volume}): look first whose data is on it. For a new, empty disk in its place: delete the unused volumes, once you are sure that nothing of them is needed; or give the disk another name.`;
  return [{ field: `disks[${name}]`, to: slot, ...untouched('disk-taken-off', detail, remedy) }];
}

function listed(unused: readonly UnusedVolume[]): string {
  return unused.map(({ slot, file }) => `${slot} (${file})`).join(', ');
}
