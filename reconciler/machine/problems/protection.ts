import { compare } from '../compare';
import { readDrive } from '../../guest/drive';
import { isVolumeKey } from '../../guest/key-kinds';
import { volumesToFree } from '../../guest/unused-volumes';
import { goesWithVolume } from '../leaving-volumes';
import type { Problem } from '../problem';
import { isLifted, isProtected } from '../protected';
import type { Scene } from '../scene';
import { wantsOf } from '../parts/wants-of';

/**
 * Drives that are to go from a guest which is protected and stays so: PVE removes none. Refused before anything is written.
 * Volumes that were detached before wait (machine/leaving-volumes.ts).
 */
export function protectedDrives(scene: Scene): Problem[] {
  if (!isProtected(scene) || isLifted(scene)) return [];
  const { delete: gone } = compare(wantsOf(scene), scene.next);
  return gone.filter(isVolumeKey).map(key => {
    const { file } = readDrive(scene.next[key]);
    const name = Object.entries(scene.slots.goneDisks).find(([, slot]) => slot === key)?.[0];
    const field = name === undefined ? key : `disks[${name}]`;
    const detail = `The drive ${key} (${file}) is to go, and the machine is protected.`;
    const remedy =
      name === undefined
        ? 'Set protection to false and apply that; afterwards set it to true again.'
        : `Keep disk "${name}" in the spec, or set protection to false, apply, and set it to true again.`;
    return { field, from: file, why: 'protected', detail, remedy };
  });
}

/**
 * The keys that a later write carries. PVE removes before it sets, within one write: drives go once the protection is
 * lifted, and the protection comes once the volumes of drives that go with this write are freed.
 */
export function heldBack(scene: Scene, gone: readonly string[], isLive: (key: string) => boolean): string[] {
  const drives = gone.filter(isVolumeKey);
  if (isProtected(scene)) return isLifted(scene) ? drives : [];
  const restarts = scene.spec.restart === 'whenNeeded';
  const isFollowed = Object.entries(scene.slots.goneDisks).some(
    ([name, slot]) => drives.includes(slot) && (isLive(slot) || restarts) && goesWithVolume(name, scene),
  );
  const isHeld = isFollowed || (restarts && hasLeavingDrive(scene));
  return isHeld && scene.spec.protection === true ? ['protection'] : [];
}

/** A drive goes with the next start, and its volume is to be deleted after that. */
function hasLeavingDrive({ running, next, mark }: Scene): boolean {
  const leaving = volumesToFree(mark, running);
  return Object.entries(running).some(
    ([key, text]) => isVolumeKey(key) && next[key] === undefined && leaving.includes(readDrive(text).file),
  );
}
