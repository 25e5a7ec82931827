import { type Action, type Change } from '../action';
import { stillLeaving } from '../machine/leaving-volumes';
import { haSteps, isAboutHa } from '../machine/parts/ha';
import { poolAndNode } from './pool-and-node';
import { lastActions } from './make-template';
import { sceneOf, type Scene } from '../machine/scene';
import { changingSlots, volumeActions } from '../machine/resize-and-move';
import { isoSteps, withData } from './data-iso-steps';
import { unkeptWaiting } from './boot-write';
import { restartOfRound, waitingForRestart } from './restart';
import { configWrite, type ConfigWrite, type RestOfRound } from './write';
import { readDescription } from '../mark/description';
import type { ObservedGuest } from '../observed';
import type { HaFacts } from '../machine/facts';

/** What is done to a guest in one round, and what of it waits. */
export interface Steps {
  actions: Action[];
  changes: Change[];
  waiting: Change[];
  /** Keys for a later round. */
  later: string[];
}

/**
 * The order: configuration, volumes, place, cloud-init's drive, power. A restart comes after what it is to apply. Snapshots
 * come around it: guest.ts.
 */
export function guestSteps(scene: Scene, guest: ObservedGuest): Steps {
  const { spec } = scene;
  const volumes = volumeActions(scene);
  const place = poolAndNode(scene, guest);
  const power = lastActions(spec, guest, guest.mark);
  const deferred = [...waitingForRestart(scene), ...unkeptWaiting(scene, guest), ...volumes.waiting];
  const iso = isoSteps(scene, guest);
  // what is removed is forgotten by one write more, and after the restart PVE's clean-up has the lock (behaviour.md §16.2)
  const isHeld = power.actions.length > 0 || iso.removals.length > 0;
  const ofVolumes = volumes.actions.filter(action => guest.power !== 'running' || !movesTpm(action));
  const restart = restartOfRound(scene, guest, { deferred, isHeld, ofVolumes });
  const rest = { untouched: changingSlots(volumes, guest.power), remembersRestart: restart.remembers };
  const write = configWrite(scene, guest, rest);
  const ha = haSteps(spec, haOf(scene));
  return {
    actions: withData(iso, [
      ...iso.uploads,
      ...write.actions,
      ...ofVolumes,
      ...place.actions,
      ...(write.needsNewDrive ? [{ kind: 'regenerate-cloud-init' } as const] : []),
      ...(restart.restarts ? [restartWith(descriptionOnceOff(scene, guest, write, rest))] : []),
      ...power.actions,
      // last: the guest has the state by then that HA is to keep
      ...ha.actions,
      ...iso.removals,
    ]),
    changes: [
      ...write.changes,
      ...volumes.changes,
      ...place.changes,
      ...restart.changes,
      ...power.changes,
      ...ha.changes,
      ...iso.changes,
    ],
    waiting: restart.waiting,
    later: write.later,
  };
}

function restartWith(description: string | undefined): Action {
  return { kind: 'restart', ...(description !== undefined && { description }) };
}

/**
 * The description that a restart makes true, where nothing else is to be written then: with the mark of devices that are
 * gone. Written after the start it would meet PVE's own clean-up, which has the lock for 30 s (behaviour.md §16.2).
 */
function descriptionOnceOff(
  scene: Scene,
  guest: ObservedGuest,
  { actions }: Pick<ConfigWrite, 'actions'>,
  rest: RestOfRound,
): string | undefined {
  // A write follows the start anyway: of whom we started, or of a detached volume, whose new key only a reading tells
  if (scene.origin !== 'kept' || rest.remembersRestart || stillLeaving(scene) !== undefined) return undefined;
  const [first] = actions;
  const before = first?.kind === 'configure' ? first.set['description'] : undefined;
  const { text, mark } = readDescription(before ?? scene.running['description'] ?? '');
  if (mark === undefined) return undefined;
  const runs = { ...guest, description: text, mark, cloudInitStale: mark.isDriveOld === true };
  const off: ObservedGuest = { ...runs, current: scene.next, pending: {}, power: 'stopped' };
  const [then] = configWrite(sceneOf(scene.spec, off, 'kept', scene.context), off, rest).actions;
  if (then?.kind !== 'configure' || then.delete.length > 0) return undefined;
  return Object.keys(then.set).join() === 'description' ? then.set['description'] : undefined;
}

/** A TPM's state moves only while the guest is off: a guest that is to stop stops first, and the next round moves it. */
function movesTpm(action: Action): boolean {
  return action.kind === 'move-disk' && action.slot === 'tpmstate0';
}

function haOf({ spec, context: { facts } }: Scene): HaFacts | undefined {
  const ha = isAboutHa(spec) ? facts.ask('ha') : undefined;
  return ha === 'denied' ? undefined : ha;
}
