import type { MachineSpec } from '../../spec';
import type { Action, Change, MachinePlan } from '../action';
import { isHibernated } from '../guest/hibernated';
import { compare, isSatisfied } from '../machine/compare';
import { sayDeleted } from '../machine/leaving-volumes';
import { wantsOf } from '../machine/parts/wants-of';
import type { Scene } from '../machine/scene';
import { changingSlots } from '../machine/resize-and-move';
import { powerWanted } from './power-actions';
import type { ObservedGuest } from '../observed';

/** What a round does, and what of it waits. Which change needs a restart: machine/live-or-restart. */
type Round = Pick<MachinePlan, 'actions' | 'changes' | 'waiting'>;

/**
 * What was written and waits for a restart: it differs from what runs, and not from what will run. Only what the
 * spec wants: what others left pending is not ours to apply.
 */
export function waitingForRestart(scene: Scene): Change[] {
  if (scene.next === scene.running) return [];
  const differing = (config: Scene['next']): Change[] =>
    compare(wantsOf({ ...scene, next: config }), config, () => 'restart').changes;
  const still = differing(scene.next).map(({ field }) => field);
  const waiting = differing(scene.running).filter(({ field }) => !still.includes(field));
  return sayDeleted(waiting, scene);
}

/**
 * Whether the round ends with a restart, and which of the deferred changes are in effect then, or after the restart of a
 * later round. `remembers`: it is ours to finish, as the mark says, since the spec does not say that the guest runs.
 */
export function restartOfRound(
  scene: Scene,
  { power, mark }: ObservedGuest,
  { deferred, isHeld, ofVolumes }: { deferred: Change[]; isHeld: boolean; ofVolumes: Action[] },
): { restarts: boolean; remembers: boolean; changes: Change[]; waiting: Change[] } {
  const { spec } = scene;
  const comes = power === 'running' && spec.restart === 'whenNeeded' && deferred.length > 0 && !isHeld;
  const restarts = comes && !leavesLines(scene, changingSlots({ actions: ofVolumes }, power));
  const isCut = mark?.isRestarting === true && power !== 'running';
  const remembers = spec.power === 'unmanaged' && (restarts || isCut);
  return { restarts, remembers, changes: comes ? deferred : [], waiting: comes ? [] : deferred };
}

/** Whether the line of a volume that is at work is to be written after it: that may wait for a restart too, and one is enough. */
function leavesLines(scene: Scene, slots: readonly string[]): boolean {
  return wantsOf(scene).some(want => slots.includes(want.key) && !isSatisfied(want, scene.next));
}

/**
 * What a plan says of a restart. A guest that is to stop or to start needs none: it reads its configuration then, unless
 * it only wakes.
 */
export function restartOfPlan(
  { restart }: MachineSpec,
  { actions, changes, waiting }: Round,
  guest: ObservedGuest,
): Pick<MachinePlan, 'restart'> {
  const restarts = actions.some(({ kind }) => kind === 'restart');
  const isNeeded = restarts || waiting.length > 0 || changes.some(isDeferred);
  const isReadAnew = !isHibernated(guest) && actions.some(({ kind }) => kind === 'power');
  if (!isNeeded || isReadAnew) return {};
  return { restart: restart === 'whenNeeded' ? 'now' : 'later' };
}

/** Whether this run restarts a guest once something waits for that. One that is to stop is only stopped. */
export function isRestartedByUs(spec: MachineSpec, power: ObservedGuest['power']): boolean {
  return power === 'running' && spec.restart === 'whenNeeded' && powerWanted(spec) !== 'stopped';
}

/** Whether what is written now and waits for a restart is followed by one: where the spec allows it. */
export function restartFollows(spec: MachineSpec, changes: readonly Change[]): boolean {
  return spec.restart === 'whenNeeded' && changes.some(({ effect }) => effect === 'restart');
}

/** Whether this plan, or a change that it leaves waiting, comes to a start of the guest. */
export function awaitsStart({ actions, changes, waiting }: Round): boolean {
  const starts = actions.some(({ kind }) => kind === 'restart' || kind === 'power');
  return (starts && !actions.some(stops)) || waiting.length > 0 || changes.some(isDeferred);
}

function stops(action: Action): boolean {
  return action.kind === 'power' && action.to === 'stopped';
}

function isDeferred({ effect, field }: Change): boolean {
  return effect === 'restart' && field !== 'power';
}
