import { untouched } from '../../action';
import { readDrive } from '../../guest/drive';
import { isDriveKey } from '../../guest/key-kinds';
import { busOf } from '../../guest/slot-names';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/**
 * Disks that name a volume which the guest has in another slot, now or after its next start. PVE attaches it a second
 * time without a word, and two disks that write to one volume destroy it.
 */
export function attachedTwice(scene: Scene): Problem[] {
  return (scene.spec.disks ?? []).flatMap(({ name, existingVolume: volume }) => {
    const slot = scene.slots.disks[name];
    if (volume === undefined || slot === undefined) return [];
    const slots = slotsWith(volume, scene);
    const [there] = slots;
    return there === undefined || slots.includes(slot) ? [] : [twice({ name, volume, slot, there }, scene)];
  });
}

function slotsWith(volume: string, { next, running }: Scene): string[] {
  const slots = new Set([...Object.keys(next), ...Object.keys(running)].filter(isDriveKey));
  return [...slots].filter(slot => [next[slot], running[slot]].some(text => readDrive(text).file === volume));
}

function twice(
  { name, volume, slot, there }: { name: string; volume: string; slot: string; there: string },
  { slots, vmid }: Scene,
): Problem {
  const other = Object.entries(slots.disks).find(([, at]) => at === there)?.[0];
  const detail = `disk "${name}" is to be ${volume} in ${slot}, and VM ${vmid} has that volume in ${there}${other === undefined ? '' : `, as disk "${other}"`}: two disks would write to one volume.`;
  const byHand = `Or shut the guest down and detach it there (qm set ${vmid} --delete ${there}: that deletes nothing), and run again.`;
  const isState = busOf(there) === undefined;
  const remedy = isState
    ? `Name another volume: that one is the machine's own ${there}.`
    : other === undefined
      ? `Say slot: "${there}" in disks[${name}], and it stays there. ${byHand}`
      : `Name another volume in disks[${name}]; or take disk "${other}" out of the spec and say slot: "${there}" in disks[${name}]: then it is the same disk by its new name.`;
  const field = `disks[${name}].existingVolume`;
  return { field, to: volume, ...untouched('attached-twice', detail, remedy) };
}
