import { untouched } from '../../action';
import { readDrive } from '../../guest/drive';
import { goesWithVolume } from '../leaving-volumes';
import type { Problem } from '../problem';
import { knownVolume, placesOf } from '../remembered-volumes';
import type { Scene } from '../scene';

/**
 * Disks that leave the spec and would be deleted, and in whose slot is another volume than the mark remembers. Somebody may
 * have put that of another disk there. Or the guest was moved with its local disks, which Proxmox names anew then
 * (QemuMigrate.pm): nobody can tell, so it is not deleted. Of a disk that stays nothing is lost.
 */
export function otherVolumes(scene: Scene): Problem[] {
  const { slots, mark, origin } = scene;
  if (origin !== 'kept') return [];
  return Object.keys(mark?.volumes ?? {}).flatMap(name => {
    const slot = goesWithVolume(name, scene) ? slots.goneDisks[name] : undefined;
    return slot === undefined ? [] : otherVolume(name, slot, scene);
  });
}

function otherVolume(name: string, slot: string, scene: Scene): Problem[] {
  const { next, running } = scene;
  const own = knownVolume(name, scene);
  const text = next[slot] ?? running[slot];
  const there = text === undefined ? undefined : readDrive(text).file;
  if (own === undefined || there === undefined || there === own) return [];
  const [at] = placesOf(own, scene, slot);
  const where = at === undefined ? 'is not in the guest any more' : `is in ${at} now`;
  const detail = `disk "${name}" had volume ${own} in ${slot} when this machine was last applied. Now ${there} is there, and ${own} ${where}: a move of the guest has named them anew, or somebody has put them elsewhere.`;
  const remedy = `Look whose data is in ${slot}. Write disk "${name}" into the spec again with onRemove: keep, and apply; then remove it from the spec: its volume stays, unused, and you delete it by hand, once you are sure.`;
  return [{ field: `disks[${name}]`, from: own, to: there, ...untouched('other-volume', detail, remedy) }];
}
