import { untouched } from '../../action';
import { readDrive } from '../../guest/drive';
import { isUnusedKey } from '../../guest/key-kinds';
import type { Problem } from '../problem';
import { knownVolume, placesOf } from '../remembered-volumes';
import type { Scene } from '../scene';

/**
 * Disks that are deleted when they leave the spec, and in whose slot is another volume than the mark remembers: somebody has
 * put it there, and it may be that of another disk. One that stays is in doubt while its own volume has another slot.
 */
export function otherVolumes(scene: Scene): Problem[] {
  const { slots, mark, origin } = scene;
  if (origin !== 'kept') return [];
  return Object.keys(mark?.volumes ?? {}).flatMap(name => {
    const leaves = mark?.deletedWithSpec?.includes(name) === true ? slots.goneDisks[name] : undefined;
    const slot = slots.disks[name] ?? leaves;
    return slot === undefined ? [] : otherVolume(name, slot, { scene, leaves: leaves !== undefined });
  });
}

function otherVolume(
  name: string,
  slot: string,
  { scene, leaves }: { scene: Scene; leaves: boolean },
): Problem[] {
  const { config, current, vmid } = scene;
  const own = knownVolume(name, scene);
  const text = config[slot] ?? current[slot];
  const there = text === undefined ? undefined : readDrive(text).file;
  if (own === undefined || there === own || (leaves && there === undefined)) return [];
  const [at] = placesOf(own, scene, slot);
  const isAttached = at !== undefined && !isUnusedKey(at);
  if (!leaves && !isAttached) return [];
  const where = at === undefined ? 'is not in the guest any more' : `is in ${at} now`;
  const instead = there === undefined ? 'nothing' : there;
  const detail = `disk "${name}" had volume ${own} in ${slot} when this machine was last applied. Now ${instead} is there, and ${own} ${where}: somebody has changed that.`;
  const remedy = isAttached ? putBack(own, { at, slot, vmid }) : takeAsOwn(name, slot, at);
  return [{ field: `disks[${name}]`, from: own, to: there, ...untouched('other-volume', detail, remedy) }];
}

function putBack(volume: string, { at, slot, vmid }: { at: string; slot: string; vmid: number }): string {
  return `Put each volume back into its slot: detach it first (qm set ${vmid} --delete ${at}), then attach it (qm set ${vmid} --${slot} ${volume}). What was in ${slot} is unused then: attach it where it belongs.`;
}

function takeAsOwn(name: string, slot: string, unused: string | undefined): string {
  const first = unused === undefined ? '' : `remove ${unused} if that is an old copy, `;
  return `If what is in ${slot} is its volume, and may go: ${first}write disk "${name}" into the spec again and apply; then remove it once more. If not: detach ${slot} by hand; then nothing is deleted.`;
}
