import type { MachineSpec } from '../../spec';
import { emptyPlan, warned, type Action, type Change, type MachinePlan, type Refusal } from '../action';
import { lossesOf } from '../guest/losses';
import { imageChange, keptImage } from '../mark/image-change';
import { isAboutHa } from '../machine/parts/ha';
import { moveOf } from './pool-and-node';
import { entriesLost, unreadElsewhere } from './entries-lost';
import { lossesByActions, lossesTogether } from './losses-of-plan';
import { lostByPending } from './brings-pending';
import { dataLost } from './new-instance';
import { heldByKubernetes } from './other-source';
import { fixedTemplate, unfinishedTemplate } from './make-template';
import { startsAnew } from './power-actions';
import { sceneOf, type Scene } from '../machine/scene';
import { judge } from './judge';
import { judgeStart, NO_OBJECTION } from './judge-start';
import { haNeeds } from '../privileges/action-needs';
import { privilegeRefusal } from '../privileges/missing-privileges';
import { afterRevert } from './snapshots/after-revert';
import { guard } from './snapshots/guard';
import { neverOn } from './snapshots/never-on';
import { planRevert, revertSteps } from './snapshots/plan-revert';
import { planSnapshots } from './snapshots/plan-snapshots';
import type { ObservedGuest } from '../observed';
import type { Origin, PlanContext } from '../machine/plan-context';
import { guestSteps, type Steps } from './guest-steps';
import { awaitsStart, restartOfPlan } from './restart';
import { unknownSizes } from './unknown-sizes';
import { planWake } from './wake';
import { warningsOf } from './warnings';
import { isosOf } from '../machine/wanted-data-iso';

/** The plan of a guest that is there. */
export function planGuest(
  spec: MachineSpec,
  observed: ObservedGuest,
  origin: Origin,
  context: PlanContext,
): MachinePlan {
  const woken = planWake(spec, observed, { origin, context }, awake =>
    planGuest(spec, awake, origin, context),
  );
  if (woken !== undefined) return woken;
  const guest = offWhereNew(observed, origin);
  const scene = sceneOf(spec, guest, origin, context);
  const denied = [...heldByKubernetes(scene), ...deniedHa(scene)];
  if (denied.length > 0) return { ...emptyPlan(spec.id), refusals: denied };
  const reverting = guest.template ? undefined : goingBack(scene, guest);
  return reverting ?? planInPlace(scene, guest);
}

/** The plan of a guest that goes back to no snapshot. */
function planInPlace(scene: Scene, guest: ObservedGuest): MachinePlan {
  const { spec, context } = scene;
  const steps = stepsOf(scene, guest);
  const judged = judge(scene, guest, steps);
  if (judged.rebuilds)
    return { ...rebuildPlan(spec, guest, context), changes: judged.changes, ...ofNewImage(scene) };
  const restart = restartOfPlan(spec, steps, guest);
  const start =
    judged.refusals.length === 0 && awaitsStart(steps)
      ? judgeStart(scene, guest, { steps, isStopped: restart.restart === 'now' })
      : NO_OBJECTION;
  const snapshots = planSnapshots(spec, { ...guest, uuid: scene.uuid, isMoving: movesDisks(steps) }, context);
  const objections = [...start.refusals, ...fixedTemplate(spec, guest, steps.actions, context)];
  const guarded = guard(scene, guest, steps.actions);
  const template = unfinishedTemplate(spec, guest, context.facts.cluster);
  const found = judged.refusals.length > 0 ? judged.refusals : objections;
  const refusals = [...found, ...snapshots.refusals, ...guarded.refusals];
  const actions = [
    ...guarded.before,
    ...steps.actions,
    ...guarded.after,
    ...snapshots.actions,
    ...template.actions,
  ];
  return {
    machine: spec.id,
    changes: [judged, start, steps, guardsLeave(guarded.going), snapshots, template].flatMap(
      one => one.changes,
    ),
    actions: refusals.length === 0 ? actions : [],
    refusals,
    waiting: steps.waiting,
    ...(refusals.length === 0 && steps.later.length > 0 && { later: steps.later }),
    ...warningsOf(scene, guest, steps.actions, restart),
    ...noted(scene, guest),
    ...(refusals.length === 0 && lostBy(scene, guest, { actions, ...restart }, guarded.going)),
    ...(guarded.wayBack !== undefined && { wayBack: guarded.wayBack }),
    ...restart,
  };
}

/** What goes for good: by the actions, by what somebody else left waiting and they bring, or inside the guest. */
function lostBy(
  scene: Scene,
  guest: ObservedGuest,
  doing: Pick<MachinePlan, 'actions' | 'restart'>,
  going: readonly string[] | undefined,
): Pick<MachinePlan, 'losses'> {
  const byOthers = { volumes: lostByPending(guest, doing), snapshots: [] };
  const { actions } = doing;
  return lossesTogether([
    lossesByActions(scene, actions, going).losses,
    byOthers,
    dataLost(scene, guest, actions),
  ]);
}

function movesDisks({ actions }: Steps): boolean {
  return actions.some(({ kind }) => kind === 'move-disk');
}

/** A clone that was made for another node goes there first: it is off, and nothing of it is ours to lose yet. */
function stepsOf(scene: Scene, guest: ObservedGuest): Steps {
  const target = scene.mark?.targetNode;
  const isMoving = scene.origin === 'cloned' && target !== undefined && target !== guest.node;
  return isMoving ? { ...moveOf(scene, guest), waiting: [], later: [] } : guestSteps(scene, guest);
}

/** Whoever may not look at what HA is told of a guest plans nothing of it. */
function deniedHa({ spec, context: { facts } }: Scene): Refusal[] {
  if (facts.cluster === undefined || !isAboutHa(spec) || facts.ask('ha') !== 'denied') return [];
  return privilegeRefusal(spec.id, haNeeds(), facts.cluster);
}

/** Going back to a snapshot, with what follows on what comes back. Undefined: that is not asked for, or done. */
function goingBack(scene: Scene, guest: ObservedGuest): MachinePlan | undefined {
  const { spec, context } = scene;
  const steps = revertSteps(scene, guest);
  if (steps === undefined) return undefined;
  const back = steps.refusals.length > 0 ? undefined : afterRevert(scene, guest);
  // asked for here: what follows is only imagined, and asks nothing
  if (back) isosOf(scene);
  const imagined = {
    ...context,
    done: { ...context.done, hasReverted: true },
    facts: context.facts.withoutAsking(),
  };
  const then = back && planGuest(spec, back, 'kept', imagined);
  const gone = back ? neverOn(scene, guest, back, imagined) : [];
  return planRevert(scene, guest, gone.length > 0 ? { ...steps, refusals: gone } : steps, then);
}

/** It is destroyed, with all that goes with it, and made anew in the next round. */
function rebuildPlan(spec: MachineSpec, guest: ObservedGuest, context: PlanContext): MachinePlan {
  const starts = startsAnew(spec, guest, context.done.wasRunning);
  const snapshots = context.facts
    .ask('snapshots')
    ?.map(({ name, hasMemory: vmstate }) => ({ name, vmstate }));
  const elsewhere = context.facts.ask('elsewhere');
  const ha = context.facts.cluster !== undefined && isAboutHa(spec) ? context.facts.ask('ha') : undefined;
  const entries = entriesLost(spec, guest, { elsewhere, ha });
  const losses = { ...lossesOf(guest, snapshots), ...(entries.length > 0 && { entries }) };
  const withKept = spec.keptVolumes === 'destroy';
  const action: Action = { kind: 'destroy', starts, losses, ...(withKept && { withKept }) };
  return { ...emptyPlan(spec.id), actions: [action], losses, ...warned(unreadElsewhere(elsewhere)) };
}

/** Of a machine that stays on the image it was made from, and of disks whose size nobody knows. */
function noted(scene: Scene, guest: ObservedGuest): Pick<MachinePlan, 'notes'> {
  const image = keptImage(scene.spec, scene.mark);
  const notes = [...(image === undefined ? [] : [image]), ...unknownSizes(scene, guest)];
  return notes.length > 0 ? { notes } : {};
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
