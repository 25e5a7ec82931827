import type { Action, Warning } from '../action';
import { isOwnVolume, readDrive } from '../guest/drive';
import { isUnusedKey } from '../guest/key-kinds';
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
