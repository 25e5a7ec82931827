import { stillLeaving } from '../machine/leaving-volumes';
import { sceneOf, type Scene } from '../machine/scene';
import { readDescription } from '../mark/mark-line';
import type { ObservedGuest } from '../observed';
import { configWrite, type RestOfRound, type ConfigWrite } from './write';

/**
 * The description that a restart makes true, where nothing else is to be written then: with the mark of devices that are
 * gone. Written after the start it would meet PVE's own clean-up, which has the lock for 30 s (behaviour.md §16.2).
 */
export function descriptionOnceOff(
  scene: Scene,
  guest: ObservedGuest,
  { actions }: Pick<ConfigWrite, 'actions'>,
  around: RestOfRound,
): string | undefined {
  // A write follows the start anyway: of whom we started, or of a detached volume, whose new key only a reading tells
  if (scene.origin !== 'kept' || around.remembersRestart || stillLeaving(scene) !== undefined)
    return undefined;
  const [first] = actions;
  const before = first?.kind === 'configure' ? first.set['description'] : undefined;
  const { text, mark } = readDescription(before ?? scene.running['description'] ?? '');
  if (mark === undefined) return undefined;
  const runs = { ...guest, description: text, mark, cloudInitStale: mark.isDriveOld === true };
  const off: ObservedGuest = { ...runs, current: scene.next, pending: {}, power: 'stopped' };
  const [then] = configWrite(sceneOf(scene.spec, off, 'kept', scene.context), off, around).actions;
  if (then?.kind !== 'configure' || then.delete.length > 0) return undefined;
  return Object.keys(then.set).join() === 'description' ? then.set['description'] : undefined;
}
