import { untouched } from '../../action';
import { generationOf } from '../../guest/generation';
import { isOwnVolume, readDrive } from '../../guest/drive';
import { isUnusedKey } from '../../guest/key-kinds';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/**
 * Disks of which nobody knows any more whether they are in their slot: somebody rolled the guest back since they got it.
 * PVE keeps the mark in a rollback, takes the drives back, and lists as unused what came since (behaviour.md §14.5).
 * Without an unused volume none has come, and the slots hold. Going back by `revertTo` was looked at before.
 */
export function doubtfulSlots(scene: Scene): Problem[] {
  const { spec, slots, origin, mark, current, config, context, vmid } = scene;
  const now = generationOf(current);
  if (
    origin !== 'kept' ||
    now === undefined ||
    mark?.revertedFrom !== undefined ||
    context.asked.revert !== undefined
  )
    return [];
  const unused = Object.entries(config).flatMap(([key, text]) =>
    isUnusedKey(key) && isOwnVolume(text, vmid) ? [`${key} (${readDrive(text).file})`] : [],
  );
  if (unused.length === 0) return [];
  return (spec.disks ?? []).flatMap(({ name, slot: said, existingVolume }) => {
    const since = mark?.diskGenerations?.[name];
    const slot = slots.disks[name];
    const isSaid = said !== undefined || existingVolume !== undefined;
    if (isSaid || slot === undefined || since === undefined || since === now) return [];
    const detail = `VM ${vmid} was rolled back since disk "${name}" got ${slot}: its volume may be one that is unused now, ${unused.join(', ')}.`;
    const remedy = `Attach its volume to ${slot} in Proxmox where another one or none is there (qm set ${vmid} --${slot} VOLUME). Then say slot: "${slot}" in disks[${name}].`;
    return [{ field: `disks[${name}]`, to: slot, ...untouched('rolled-back', detail, remedy) }];
  });
}
