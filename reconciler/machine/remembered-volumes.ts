import { isDisk, isOwnVolume, readDrive } from '../guest/drive';
import { generationOf } from '../guest/generation';
import { isUnusedKey, isVolumeKey } from '../guest/key-kinds';
import type { Mark } from '../mark/mark';
import { stillLeaving } from './leaving-volumes';
import type { Scene } from './scene';

/**
 * The volume of each disk that is deleted when it leaves the spec, as the mark of the guest is to remember it: a slot alone
 * does not tell whether somebody has put another volume there. Each stays remembered while the guest has it elsewhere.
 * `left`: the disks that have left the spec, and still have their slot.
 */
export function rememberedVolumes(
  scene: Scene,
  left: readonly string[],
): Pick<Mark, 'volumes' | 'volumesGeneration'> {
  const { spec, slots, mark, running } = scene;
  if (spec.disks === undefined) return { volumes: mark?.volumes, volumesGeneration: mark?.volumesGeneration };
  const found = spec.disks.flatMap(({ name, onRemove }) => {
    if (onRemove !== 'delete') return [];
    const before = knownVolume(name, scene);
    const isElsewhere = before !== undefined && placesOf(before, scene, slots.disks[name]).length > 0;
    const volume = isElsewhere ? before : ownVolumeIn(slots.disks[name], scene);
    return volume === undefined ? [] : [[name, volume] as const];
  });
  for (const name of left) {
    const volume = knownVolume(name, scene);
    if (volume !== undefined) found.push([name, volume]);
  }
  // what is still to be deleted is so in this generation only
  if (found.length === 0) return stillLeaving(scene) ? { volumesGeneration: generationOf(running) } : {};
  return { volumes: Object.fromEntries(found), volumesGeneration: generationOf(running) };
}

/**
 * The volume that the mark remembers of a disk. Undefined: none, or the guest was rolled back or restored since, after which
 * PVE may have given its volumes other names.
 */
export function knownVolume(
  name: string,
  { mark, running }: Pick<Scene, 'mark' | 'running'>,
): string | undefined {
  const now = generationOf(running);
  return now !== undefined && mark?.volumesGeneration === now ? mark.volumes?.[name] : undefined;
}

/** The keys of the guest that name a volume, but for this slot: first those that attach it. */
export function placesOf(volume: string, { next, running }: Scene, but: string | undefined): string[] {
  const keys = [...new Set([...Object.keys(next), ...Object.keys(running)])];
  const found = keys.filter(
    key =>
      key !== but &&
      (isVolumeKey(key) || isUnusedKey(key)) &&
      [next[key], running[key]].some(text => readDrive(text).file === volume),
  );
  return found.sort((one, other) => Number(isUnusedKey(one)) - Number(isUnusedKey(other)));
}

/** The volume in a slot, if there is a disk there that was made for this guest. */
export function ownVolumeIn(slot = '', { next, vmid }: Scene): string | undefined {
  const text = next[slot];
  const { file } = readDrive(text);
  return isDisk(text) && isOwnVolume(file, vmid) ? file : undefined;
}
