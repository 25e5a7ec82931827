import type { MachineSpec } from '../../spec';
import { emptyPlan, warned, type Action, type Change, type MachinePlan } from '../action';
import { compare } from '../machine/compare';
import { lossesOf } from '../guest/losses';
import { sayDeleted } from '../machine/leaving-volumes';
import { wantsOf } from '../machine/parts/wants-of';
import { imageChange, keptImage } from '../mark/image-change';
import { haSteps } from '../machine/parts/ha';
import { moveOf, placeChanges } from './place';
import { lackOfRoom } from './free-space';
import { lossesByActions } from './losses-of-plan';
import { otherSource } from './other-source';
import { leftVolumes } from './left-volumes';
import { returningCards } from './returning-cards';
import { fixedTemplate, lastActions, noWayBack, unfinishedTemplate } from './template';
import { repluggedCards } from './replugged';
import { startsAnew } from './power-actions';
import { sceneOf, type Scene } from '../machine/scene';
import { changingSlots, volumeActions } from '../machine/volume-actions';
import { judge, judgeStart } from './refusals';
import { isoSteps, withData } from './data-iso-steps';
import { unkeptWaiting } from './boot-write';
import { configWrite, descriptionOnceOff } from './write';
import { afterRevert } from './snapshots/after-revert';
import { guard } from './snapshots/guard';
import { planRevert } from './snapshots/plan-revert';
import { revertPlan } from './snapshots/revert-plan';
import { planSnapshots } from './snapshots/plan-snapshots';
import type { ObservedCluster, ObservedGuest } from '../observed';
import type { Origin, PlanContext } from '../machine/plan-context';

/** The plan of a guest that is there. */
export function planGuest(
  spec: MachineSpec,
  observed: ObservedGuest,
  origin: Origin,
  cluster: ObservedCluster,
  context: PlanContext,
): MachinePlan {
  const guest = offWhereNew(observed, origin);
  const scene = sceneOf(spec, guest, origin, context);
  const reverting = guest.template ? undefined : goingBack(scene, guest, cluster);
  if (reverting) return reverting;
  const verdict = judge(scene, cluster, guest);
  const machine = spec.id;
  if (verdict.rebuilds)
    return { ...rebuildPlan(spec, guest, context), changes: verdict.changes, ...ofNewImage(scene) };
  // a clone that was made for another node goes there first: it is off, and nothing of it is ours to lose yet
  const isMoving = origin === 'cloned' && scene.mark?.w !== undefined && scene.mark.w !== guest.node;
  const steps = isMoving ? { ...moveOf(scene, guest), waiting: [], later: [] } : stepsOf(scene, guest);
  const start = awaitsStart(steps) ? judgeStart(scene, cluster, guest) : NO_OBJECTION;
  const kept = planSnapshots(spec, { ...guest, uuid: scene.uuid }, context);
  const objections = [...start.refusals, ...fixedTemplate(spec, guest, steps.actions, context)];
  const guarded = guard(scene, guest, steps.actions);
  const finish = unfinishedTemplate(spec, guest, cluster);
  const found = verdict.refusals.length > 0 ? verdict.refusals : objections;
  const refusals = [...found, ...kept.refusals, ...guarded.refusals];
  const actions = [...guarded.before, ...steps.actions, ...guarded.after, ...kept.actions, ...finish.actions];
  return {
    machine,
    changes: [verdict, start, steps, guardsLeave(guarded.going), kept, finish].flatMap(one => one.changes),
    actions: refusals.length === 0 ? actions : [],
    refusals,
    waiting: steps.waiting,
    ...(refusals.length === 0 && steps.later.length > 0 && { later: steps.later }),
    ...toldBefore(scene, guest, steps.actions, cluster),
    ...ofKeptImage(scene),
    ...(refusals.length === 0 && lossesByActions(scene, actions, guarded.going)),
    ...(guarded.wayBack !== undefined && { wayBack: guarded.wayBack }),
    ...restartOf(spec, steps),
  };
}

/** Going back to a snapshot, with what follows on what comes back. Undefined: that is not asked for, or done. */
function goingBack(scene: Scene, guest: ObservedGuest, cluster: ObservedCluster): MachinePlan | undefined {
  const { spec, context } = scene;
  const steps = planRevert(scene, guest);
  if (steps === undefined) return undefined;
  const back = steps.refusals.length > 0 ? undefined : afterRevert(scene, guest);
  const then = back && planGuest(spec, back, 'kept', cluster, { ...context, hasReverted: true });
  return revertPlan(scene, steps, then);
}

/** It is destroyed, with all that goes with it, and made anew in the next round. */
function rebuildPlan(spec: MachineSpec, guest: ObservedGuest, context: PlanContext): MachinePlan {
  const starts = startsAnew(spec, guest, context.wasRunning);
  const losses = lossesOf(guest, context.facts?.listedSnapshots);
  const withKept = spec.keptVolumes === 'destroy';
  const action: Action = { kind: 'destroy', starts, losses, ...(withKept && { withKept }) };
  return { ...emptyPlan(spec.id), actions: [action], losses };
}

/** What is done all the same, and a person should know before. */
function toldBefore(
  scene: Scene,
  guest: ObservedGuest,
  actions: readonly Action[],
  cluster: ObservedCluster,
): Pick<MachinePlan, 'warnings'> {
  return warned(
    lackOfRoom(scene, actions, cluster, guest.node),
    leftVolumes(scene, actions),
    repluggedCards(scene, guest, actions),
    returningCards(scene),
    noWayBack(scene.spec, guest, scene.origin),
    otherSource(scene),
  );
}

/** Of a machine that stays on the image it was made from. */
function ofKeptImage({ spec, mark }: Scene): Pick<MachinePlan, 'notes'> {
  const note = keptImage(spec, mark);
  return note === undefined ? {} : { notes: [note] };
}

/** Of a machine that would have stayed on its image, and is made anew for another reason. */
function ofNewImage({ spec, mark }: Scene): Pick<MachinePlan, 'notes'> {
  const { from, to } = (spec.onImageChange === 'keep' ? imageChange(spec, mark) : undefined) ?? {};
  return from === undefined ? {} : { notes: [`it is made anew from ${to}; it was made from ${from}.`] };
}

/** A clone that was never started is off, whatever the listing knows yet. */
function offWhereNew(guest: ObservedGuest, origin: Origin): ObservedGuest {
  return origin === 'cloned' && guest.power === 'unknown' ? { ...guest, power: 'stopped' } : guest;
}

/** The snapshots before earlier changes that go with a newer one. */
function guardsLeave(names: readonly string[] = []): { changes: Change[] } {
  const changes = names.map((name): Change => ({
    field: `snapshots[${name}]`,
    from: 'taken before a change',
    to: undefined,
    effect: 'live',
  }));
  return { changes };
}

/** A guest that is to stop or to start needs none: it reads its configuration then. */
function restartOf(
  { restart }: MachineSpec,
  { actions, changes, waiting }: Steps,
): Pick<MachinePlan, 'restart'> {
  const restarts = actions.some(({ kind }) => kind === 'restart');
  const isNeeded = restarts || waiting.length > 0 || changes.some(isDeferred);
  if (!isNeeded || actions.some(({ kind }) => kind === 'power')) return {};
  return { restart: restart === 'whenNeeded' ? 'now' : 'later' };
}

const NO_OBJECTION = { refusals: [], changes: [] };

/** Whether this plan, or a change that it leaves waiting, comes to a start of the guest. */
function awaitsStart({ actions, changes, waiting }: Steps): boolean {
  const starts = actions.some(({ kind }) => kind === 'restart' || kind === 'power');
  return (starts && !actions.some(stops)) || waiting.length > 0 || changes.some(isDeferred);
}

function stops(action: Action): boolean {
  return action.kind === 'power' && action.to === 'stopped';
}

function isDeferred({ effect, field }: Change): boolean {
  return effect === 'restart' && field !== 'power';
}

interface Steps {
  actions: Action[];
  changes: Change[];
  waiting: Change[];
  /** Keys for a later round. */
  later: string[];
}

/** The order: configuration, volumes, place, cloud-init's drive, power. A restart comes after what it is to apply. */
function stepsOf(scene: Scene, guest: ObservedGuest): Steps {
  const { spec } = scene;
  const volumes = volumeActions(scene);
  const place = placeChanges(scene, guest);
  const power = lastActions(spec, guest, guest.mark);
  const pending = [...waitingFor(scene), ...unkeptWaiting(scene, guest), ...volumes.waiting];
  const mayRestart = guest.power === 'running' && spec.restart === 'whenNeeded';
  const iso = isoSteps(scene, guest);
  // what is removed is forgotten by one write more, and after the restart PVE's clean-up has the lock (behaviour.md §16.2)
  const isHeld = power.actions.length > 0 || iso.removals.length > 0;
  const restarts = mayRestart && pending.length > 0 && !isHeld;
  const isCut = guest.mark?.s === 1 && guest.power !== 'running';
  const remembers = spec.power === 'unmanaged' && (restarts || isCut);
  const around = { untouched: changingSlots(volumes, guest.power), restarts: remembers };
  const write = configWrite(scene, guest, around);
  const ha = haSteps(spec, guest, scene.context.ha);
  return {
    actions: withData(iso, [
      ...iso.uploads,
      ...write.actions,
      ...volumes.actions.filter(action => guest.power !== 'running' || !movesTpm(action)),
      ...place.actions,
      ...(write.needsNewDrive ? [{ kind: 'regenerate-cloud-init' } as const] : []),
      ...(restarts ? [restartWith(descriptionOnceOff(scene, guest, write, around))] : []),
      ...power.actions,
      // last: the guest has the state by then that HA is to keep
      ...ha.actions,
      ...iso.removals,
    ]),
    changes: [
      ...write.changes,
      ...volumes.changes,
      ...place.changes,
      ...(restarts ? pending : []),
      ...power.changes,
      ...ha.changes,
      ...iso.changes,
    ],
    waiting: restarts ? [] : pending,
    later: write.later,
  };
}

function restartWith(description: string | undefined): Action {
  return { kind: 'restart', ...(description !== undefined && { description }) };
}

/** A TPM's state moves only while the guest is off: a guest that is to stop stops first, and the next round moves it. */
function movesTpm(action: Action): boolean {
  return action.kind === 'move-disk' && action.slot === 'tpmstate0';
}

/**
 * What was written and waits for a restart: it differs from what runs, and not from what will run. Only what the
 * spec wants: what others left pending is not ours to apply.
 */
function waitingFor(scene: Scene): Change[] {
  if (scene.config === scene.current) return [];
  const differing = (config: Scene['config']): Change[] =>
    compare(wantsOf({ ...scene, config }), config, () => 'restart').changes;
  const still = differing(scene.config).map(({ field }) => field);
  const waiting = differing(scene.current).filter(({ field }) => !still.includes(field));
  return sayDeleted(waiting, scene);
}
