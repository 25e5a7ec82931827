import type { Action, ActionOf, Warning } from '../action';
import { isOwnVolume, readDrive } from '../guest/drive';
import { isUnusedKey } from '../guest/key-kinds';
import { knownVolume, ownVolumeIn } from '../machine/remembered-volumes';
import type { Scene } from '../machine/scene';

/** What to tell of disks that leave and of new ones, where a volume stays that a person may take for the disk. */
export function leftVolumes(scene: Scene, actions: readonly Action[]): Warning[] {
  const writes = actions.flatMap(action => (action.kind === 'configure' ? [action] : []));
  const left = Object.entries(scene.slots.goneDisks).filter(
    ([name, slot]) =>
      scene.mark?.deletedWithSpec?.includes(name) !== true &&
      writes.some(write => write.delete.includes(slot)),
  );
  const unused = Object.keys(scene.config).flatMap(key => {
    const { file } = readDrive(scene.config[key]);
    const stays =
      isUnusedKey(key) &&
      isOwnVolume(file, scene.vmid) &&
      scene.mark?.volumesToDelete?.includes(file) !== true;
    return stays ? [file] : [];
  });
  const made = (scene.spec.disks ?? []).flatMap(({ name, existingVolume }) => {
    const slot = scene.slots.disks[name] ?? '';
    const isNew = existingVolume === undefined && scene.config[slot] === undefined;
    return isNew && writes.some(write => slot in write.set) ? [name] : [];
  });
  return [
    ...unsureOf(scene, writes),
    ...left.map(([name, slot]) => {
      const { file } = readDrive(scene.config[slot]);
      const text = `disk ${name} is detached and its volume ${file} stays, unused: a disk that comes back gets a new volume, unless it names this one as existingVolume.`;
      return { about: `volume left of ${name}`, text };
    }),
    ...(unused.length === 0 ? [] : made).map(name => {
      const text = `disk ${name} gets a new volume. The unused disks of this guest (${unused.join(', ')}) are left alone. To use one of them, name it as existingVolume.`;
      return { about: `new volume of ${name}`, text };
    }),
  ];
}

/** Of disks that go with their volume, where nothing tells whether somebody has put another volume into their slot. */
function unsureOf(scene: Scene, writes: readonly Pick<ActionOf<'configure'>, 'delete'>[]): Warning[] {
  return Object.entries(scene.slots.goneDisks).flatMap(([name, slot]) => {
    const volume = ownVolumeIn(slot, scene);
    const goes =
      scene.mark?.deletedWithSpec?.includes(name) === true &&
      writes.some(write => write.delete.includes(slot));
    if (!goes || volume === undefined || knownVolume(name, scene) !== undefined) return [];
    const text = `disk ${name} leaves, and the volume that is in its slot is deleted: ${volume}. Nothing tells whether that is still its own, as the mark does not remember it. Look first, if somebody may have put another volume into ${slot}.`;
    return [{ about: `volume of ${name}`, text }];
  });
}
