import type { Change } from '../action';
import type { Configuration } from '../guest/configuration';
import { isOwnVolume, readDrive } from '../guest/drive';
import { isBroughtBack } from '../guest/generation';
import { busOf } from '../guest/slot-names';
import { unusedVolumes, volumesToFree, type UnusedVolume } from '../guest/unused-volumes';
import { isLifted, isProtected } from './protected';
import type { Part, Scene } from './scene';

/**
 * The second step of a disk that is deleted with its volume: once detached it stands as `unusedN`, and deleting
 * that key frees it. The mark holds the volume meanwhile, so that a crash between the two loses nothing. The first step is
 * machine/parts/disks.ts; that `onRemove` wants it deleted, the mark says (plan/mark-content.ts).
 */
export const leavingVolumes: Part = scene =>
  toFree(scene).map(({ slot }) => ({ field: 'disks', key: slot, value: null }));

/**
 * Whether the volume of a disk is deleted when that leaves the spec. Not of a guest that was rolled back or restored since
 * the last apply: whoever did that may want what came back, and the next mark forgets that it was to be deleted.
 */
export function goesWithVolume(name: string, { mark, running }: Pick<Scene, 'mark' | 'running'>): boolean {
  const isWanted = mark?.deletedWithSpec?.includes(name) === true;
  return isWanted && !isBroughtBack(mark.volumesGeneration, running);
}

/** The volumes that this plan, or the one after it, deletes; each with the key that names it now. */
export function stillToDelete(scene: Scene): { slot: string; file: string }[] {
  return [...detachedNow(scene), ...toFree(scene)];
}

/** Detached volumes that are to be deleted, and that wait: PVE deletes none of a guest that is protected. */
export function waitingForProtection(scene: Scene): UnusedVolume[] {
  return staysProtected(scene) ? detached(scene) : [];
}

function toFree(scene: Scene): UnusedVolume[] {
  return staysProtected(scene) ? [] : detached(scene);
}

function staysProtected(scene: Scene): boolean {
  return isProtected(scene) && !isLifted(scene);
}

/** The volumes that are detached by now and that the mark wants deleted. What the spec names since is a disk again. */
function detached(scene: Scene): UnusedVolume[] {
  const leaving = volumesToFree(scene.mark, scene.running);
  if (leaving.length === 0) return [];
  const wanted = wantedFiles(scene);
  return unusedVolumes(scene.next).filter(({ file }) => leaving.includes(file) && !wanted.includes(file));
}

/** The volumes that this plan detaches, each with its slot: the next one deletes them. */
function detachedNow(scene: Scene): { slot: string; file: string }[] {
  const { slots, next, vmid } = scene;
  const gone = Object.entries(slots.goneDisks).filter(([name]) => goesWithVolume(name, scene));
  // each plan of each machine asks, and nearly none has such a disk
  if (gone.length === 0) return [];
  const wanted = wantedFiles(scene);
  return gone
    .flatMap(([, slot]) => fileAt(next, slot).map(file => ({ slot, file })))
    .filter(({ file }) => isOwnVolume(file, vmid) && !wanted.includes(file));
}

/**
 * The volumes that are still to be deleted after this plan. Another guest's volume is never among them, nor one that is
 * attached: somebody uses it, or a move with its local disks has given its name to another disk (QemuMigrate.pm).
 */
export function stillLeaving(scene: Scene): string[] | undefined {
  const { mark, running } = scene;
  const before = volumesToFree(mark, running);
  const wanted = before.length > 0 ? wantedFiles(scene) : [];
  // once the protection is lifted, a later write deletes them (problems/protection.ts)
  const waiting = isProtected(scene) ? detached(scene).map(({ file }) => file) : [];
  const left = before.filter(
    file => waiting.includes(file) || (isOnItsWay(file, scene) && !wanted.includes(file)),
  );
  const all = new Set([...left, ...detachedNow(scene).map(({ file }) => file)]);
  return all.size === 0 ? undefined : [...all];
}

/** Whether the guest has it until its next start, and no longer. */
function isOnItsWay(file: string, { next, running }: Scene): boolean {
  const has = (config: Configuration): boolean =>
    Object.keys(config).some(slot => fileAt(config, slot).includes(file));
  return has(running) && !has(next);
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

/** The volumes of disks that stay, or that the spec names again before they had left: those are deleted by nobody. */
function wantedFiles({ spec, slots, next, running }: Scene): string[] {
  const named = (spec.disks ?? []).flatMap(({ existingVolume }) => existingVolume ?? []);
  const inSlots = Object.entries(slots.disks).flatMap(([name, slot]) => [
    ...fileAt(next, slot),
    ...(spec.disks?.some(disk => disk.name === name) === true ? fileAt(running, slot) : []),
  ]);
  return [...named, ...inSlots];
}

/** The volume in a slot, if that is one of a drive. */
function fileAt(config: Configuration, slot: string): string[] {
  const text = config[slot];
  return text === undefined || busOf(slot) === undefined ? [] : [readDrive(text).file];
}
