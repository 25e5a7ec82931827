import type { Change } from '../action';
import type { Configuration } from '../guest/configuration';
import { isOwnVolume, readDrive } from '../guest/drive';
import { isUnusedKey } from '../guest/key-kinds';
import { busOf } from '../guest/slot-names';
import { unusedVolumes, volumesToFree, type UnusedVolume } from '../guest/unused-volumes';
import type { Part, Scene } from './scene';

/**
 * The second step of a disk that is deleted with its volume: once detached it stands as `unusedN`, and deleting
 * that key frees it. The mark holds the volume meanwhile, so that a crash between the two loses nothing. The first step is
 * machine/parts/disks.ts; that `onRemove` wants it deleted, the mark says (plan/mark-content.ts).
 */
export const leavingVolumes: Part = scene =>
  toFree(scene).map(({ slot }) => ({ field: 'disks', key: slot, value: null }));

/** The volumes that this plan, or the one after it, deletes; each with the key that names it now. */
export function stillToDelete(scene: Scene): { slot: string; file: string }[] {
  return [...detachedNow(scene), ...toFree(scene)];
}

function toFree({ next, mark, running }: Scene): UnusedVolume[] {
  const leaving = volumesToFree(mark, running);
  return unusedVolumes(next).filter(({ file }) => leaving.includes(file));
}

/** The volumes that this plan detaches, each with its slot: the next one deletes them. */
function detachedNow({ mark, slots, next, vmid }: Scene): { slot: string; file: string }[] {
  return Object.entries(slots.goneDisks)
    .filter(([name]) => mark?.deletedWithSpec?.includes(name) === true)
    .flatMap(([, slot]) => fileAt(next, slot).map(file => ({ slot, file })))
    .filter(({ file }) => isOwnVolume(file, vmid));
}

/** The volumes that are still to be deleted after this plan. Another guest's volume is never among them. */
export function stillLeaving(scene: Scene): string[] | undefined {
  const { mark, next, running } = scene;
  const detached = detachedNow(scene).map(({ file }) => file);
  const leaving = [...volumesToFree(mark, running), ...detached];
  if (leaving.length === 0) return undefined;
  const unused = unusedVolumes(next).map(({ file }) => file);
  const there = [...Object.keys(running), ...Object.keys(next)].flatMap(key => [
    ...fileAt(running, key),
    ...fileAt(next, key),
  ]);
  const kept = wantedFiles(scene);
  const left = leaving.filter(file => there.includes(file) && !unused.includes(file) && !kept.includes(file));
  return left.length === 0 ? undefined : [...new Set(left)];
}

/** Changes that also say which disks go with their volumes: those are deleted by a later write than this plan's. */
export function sayDeleted(changes: readonly Change[], scene: Scene): Change[] {
  const leaving = stillLeaving(scene) ?? [];
  const fields = Object.entries(scene.slots.goneDisks)
    .filter(([, slot]) => leaving.includes(readDrive(scene.next[slot] ?? scene.running[slot]).file))
    .map(([name]) => `disks[${name}]`);
  return changes.map(change =>
    change.to === undefined && fields.includes(change.field)
      ? { ...change, to: `(none), and its volume is deleted${when(change, scene)}` }
      : change,
  );
}

/** PVE deletes no volume of a guest that is protected: that waits where nobody restarts it before the protection. */
function when({ effect }: Change, { spec }: Scene): string {
  if (effect !== 'restart') return '';
  const isGuarded = spec.protection === true && spec.restart !== 'whenNeeded';
  return ` after the next restart${isGuarded ? ', once the machine is not protected' : ''}`;
}

/** The volumes of disks that stay, or came back to the spec before they had left: those are deleted by nobody. */
function wantedFiles({ spec, slots, next, running }: Scene): string[] {
  return Object.entries(slots.disks).flatMap(([name, slot]) => [
    ...fileAt(next, slot),
    ...(spec.disks?.some(disk => disk.name === name) === true ? fileAt(running, slot) : []),
  ]);
}

function fileAt(config: Configuration, key: string): string[] {
  const text = config[key];
  const isHeld = isUnusedKey(key) || busOf(key) !== undefined;
  return text === undefined || !isHeld ? [] : [readDrive(text).file];
}
