import { isImported, type DiskSpec } from '../../../spec';
import { untouched } from '../../action';
import { isDisk, isOwnVolume, readDrive } from '../../guest/drive';
import { asWord } from '../../guest/as-word';
import { isBroughtBack } from '../../guest/generation';
import { isUnusedKey } from '../../guest/key-kinds';
import { busOf, DRIVE_SLOTS } from '../../guest/slot-names';
import { ownUnusedVolumes, volumesToFree, type UnusedVolume } from '../../guest/unused-volumes';
import { isCloned } from '../../mark/image-words';
import type { Problem } from '../problem';
import { knownVolume } from '../remembered-volumes';
import type { Scene } from '../scene';

/**
 * Disks of which nobody knows any more whether they are in their slot, or where: the guest was rolled back, restored from a
 * backup without them, or somebody took them off. A new volume would be made in their place, or another one be taken for
 * them. Without another volume of its own there is nothing to mistake. Going back by `revertTo` was looked at before.
 */
export function doubtfulSlots(scene: Scene): Problem[] {
  const { spec, origin, mark, next, context, vmid } = scene;
  if (origin !== 'kept' || mark?.revertedFrom !== undefined || context.wanted.revert !== undefined) return [];
  const unused = ownUnusedVolumes(next, vmid);
  const places = [...unused, ...disksOfNobody(scene)];
  if (places.length === 0) return [];
  return (spec.disks ?? []).flatMap(disk => {
    const back = unused.length > 0 ? rolledBack(disk, unused, scene) : [];
    return back.length > 0 ? back : takenOff(disk, places, scene);
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
  const slot = slots.disks[name];
  const isSaid = said !== undefined || existingVolume !== undefined;
  if (isSaid || slot === undefined || !isBroughtBack(mark?.diskGenerations?.[name], running)) return [];
  const detail = `VM ${vmid} was rolled back since disk "${name}" got ${slot}: its volume may be one that is unused now, ${listed(unused)}.`;
  const remedy = `Attach its volume to ${slot} in Proxmox where another one or none is there (qm set ${vmid} --${slot} VOLUME). Then say slot: "${slot}" in disks[${name}].`;
  return [{ field: `disks[${name}]`, to: slot, ...untouched('rolled-back', detail, remedy) }];
}

/**
 * Own volumes in slots of no disk of the spec: somebody may have moved one of ours there. Into the slot of one that leaves, too,
 * where nothing tells that it still has its own.
 */
function disksOfNobody(scene: Scene): UnusedVolume[] {
  const { next, slots, vmid } = scene;
  const leaving = Object.entries(slots.goneDisks).filter(
    ([name, slot]) => readDrive(next[slot]).file === knownVolume(name, scene),
  );
  const ours = [...Object.values(slots.disks), ...leaving.map(([, slot]) => slot)];
  return DRIVE_SLOTS.filter(slot => isDisk(next[slot]) && !ours.includes(slot))
    .map(slot => ({ slot, file: readDrive(next[slot]).file }))
    .filter(({ file }) => isOwnVolume(file, vmid));
}

/**
 * A disk that the mark remembers and whose slot is empty. PVE: a restore from a backup that left it out lists its volume
 * as unused, and so does who detaches it; who attaches it in another slot has it there.
 */
function takenOff(disk: DiskSpec, places: readonly UnusedVolume[], scene: Scene): Problem[] {
  const { name, existingVolume } = disk;
  const { spec, slots, mark, next, running, vmid } = scene;
  const slot = slots.disks[name];
  // that one is lost, which disk-problems.ts says
  const isBrought = name === 'root' && (isCloned(spec.image) || isImported(spec.image));
  if (isBrought || existingVolume !== undefined || slot === undefined || mark?.disks?.[name] !== slot)
    return [];
  if (next[slot] !== undefined || running[slot] !== undefined) return [];
  const leaving = volumesToFree(mark, running);
  const kept = places.filter(({ file }) => !leaving.includes(file));
  const own = knownVolume(name, scene);
  // its own volume is gone, and the others are those of other disks
  if (kept.length === 0 || (own !== undefined && !kept.some(({ file }) => file === own))) return [];
  const detail = `disk "${name}" is not in ${slot} any more, and its volume may be ${kept.length === 1 ? 'the one' : 'one of those'} in ${listed(kept)}: somebody took it off or moved it, or restored VM ${vmid} from a backup without it.`;
  const orDelete = kept.every(each => isUnusedKey(each.slot))
    ? '; or delete the unused volumes, once you are sure that nothing of them is needed'
    : '';
  const remedy = `${waysBack(kept, { disk, slot, vmid, own })} For a new, empty disk in its place: give the disk another name${orDelete}.`;
  return [{ field: `disks[${name}]`, to: slot, ...untouched('disk-taken-off', detail, remedy) }];
}

/** How its volume becomes the disk again: attached where it was, or named where it is. */
function waysBack(
  kept: readonly UnusedVolume[],
  { disk, slot, vmid, own }: { disk: DiskSpec; slot: string; vmid: number; own: string | undefined },
): string {
  const elsewhere = kept.filter(each => !isUnusedKey(each.slot) && (own === undefined || each.file === own));
  const attached = elsewhere.map(each => {
    const isOthersType = disk.type !== undefined && busOf(each.slot) !== disk.type;
    return `where it is the disk in ${each.slot}, say slot: "${each.slot}"${isOthersType ? ' and no type' : ''}`;
  });
  const again = kept.some(each => isUnusedKey(each.slot))
    ? [`attach its volume again (qm set ${vmid} --${slot} ${asWord(own, 'VOLUME')})`]
    : [];
  const inSpec = attached.length > 0 ? ` in disks[${disk.name}]` : '';
  return `Look whose data it is; ${[...again, ...attached].join('; or ')}${inSpec}.`;
}

function listed(unused: readonly UnusedVolume[]): string {
  return unused.map(({ slot, file }) => `${slot} (${file})`).join(', ');
}
