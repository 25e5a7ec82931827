import type { MachineSpec } from '../../spec';
import { emptyPlan, warned, type Action, type MachinePlan } from '../action';
import { stillnessOf } from '../guest/stands-still';
import { planCreate } from './create';
import { sayCloned } from '../mark/image-words';
import { planGuest } from './guest';
import { planHealed } from './plan-healed';
import { isAboutHa } from '../machine/parts/ha';
import { copying, madeAnew } from './before-rebuild';
import { notMade } from './not-made';
import type { ObservedMachine } from '../observed';
import { powerWanted } from './power-actions';
import { permitted } from './preflight';
import { planOnly } from './snapshots/plan-only';
import type { PlaceOfNew } from '../machine/facts';
import type { PlanContext } from '../machine/plan-context';

/**
 * What is to be done now so that Proxmox matches the spec of one machine. Pure: same input, same plan.
 * It plans one round: carry the actions out in order, read the guest again, plan again, until no action is left.
 * A plan with refusals has no actions. A plan without actions and refusals says that the machine is in sync.
 * Where a fact was asked for that is not known (`facts.isEnough` is false then), it is a draft: read that, and plan again.
 */
export function planMachine(spec: MachineSpec, have: ObservedMachine, context: PlanContext): MachinePlan {
  const { facts } = context;
  const draft = planOf(spec, have, context);
  const plan = facts.isEnough ? withObjections(spec, have, draft, context) : draft;
  // what was judged with the plan that Terraform showed is enough for these alone; a refusal is said with all read
  if (doesMoreThanJudged(spec, have, plan, context)) facts.askForCluster();
  return { ...plan, ...stillness(spec, have, plan) };
}

/** What has to be done to what is there, by what that is. */
function planOf(spec: MachineSpec, have: ObservedMachine, context: PlanContext): MachinePlan {
  if (have.kind === 'refused') {
    const { kind: _, ...objection } = have;
    return { ...emptyPlan(spec.id), refusals: [{ machine: spec.id, ...objection }] };
  }
  if (context.wanted.only !== undefined) return planOnly(spec, have, context);
  switch (have.kind) {
    case 'absent': {
      const refusals = notMade(spec, context.wanted, { replaces: false });
      if (refusals.length > 0) return { ...emptyPlan(spec.id), refusals };
      const place = context.facts.ask('place') ?? emptyPlan(spec.id);
      return 'machine' in place ? place : planCreate(spec, place, context);
    }
    case 'present':
    case 'adoptable': {
      const { guest, lostMark } = have;
      if (lostMark !== undefined) return planHealed(spec, { guest, lostMark }, context);
      if (have.kind === 'adoptable') return planGuest(spec, guest, 'adopted', context);
      return planGuest(spec, guest, isFreshClone(have) ? 'cloned' : 'kept', context);
    }
  }
}

/** What is made from nothing knows its devices at once; of a clone those that it brought become the spec's. */
function isFreshClone({ guest, unfinished }: Extract<ObservedMachine, { kind: 'present' }>): boolean {
  return unfinished && sayCloned(guest.mark?.image);
}

/** A plan with what speaks against it besides its own refusals: rights, what follows a destroy, and who asks for it. */
function withObjections(
  spec: MachineSpec,
  have: ObservedMachine,
  plan: MachinePlan,
  context: PlanContext,
): MachinePlan {
  const anew = madeAnew(spec, have, plan, context);
  if (!context.facts.isEnough) return plan;
  const objections = [
    ...permitted({ spec, plan, have, context, place: newPlace(plan, have, context) }),
    ...anew.refusals,
    // rights may have asked for a fact: then it is a draft again
    ...(context.facts.isEnough ? (context.wanted.objection?.(plan, have, context.done) ?? []) : []),
  ];
  if (objections.length === 0)
    return { ...plan, actions: [...anew.before, ...plan.actions.map(action => copying(action, anew))] };
  // what is refused takes nothing with it
  const { losses: _, ...refused } = plan;
  return { ...refused, actions: [], refusals: [...plan.refusals, ...objections] };
}

/** Where a machine is made, by a plan that makes it. */
function newPlace(
  { actions }: MachinePlan,
  have: ObservedMachine,
  { facts }: PlanContext,
): PlaceOfNew | undefined {
  const place = have.kind === 'absent' && actions.length > 0 ? facts.ask('place') : undefined;
  return place === undefined || 'machine' in place ? undefined : place;
}

/** Nobody but a person knows whether a guest that stands still may go on: no run of ours lets it. */
function stillness(
  spec: MachineSpec,
  have: ObservedMachine,
  { actions, warnings }: MachinePlan,
): Pick<MachinePlan, 'standsStill' | 'warnings'> {
  const still = 'guest' in have ? stillnessOf(have.guest) : undefined;
  const wanted = powerWanted(spec);
  if (still === undefined || wanted === 'stopped' || actions.some(startsIt)) return {};
  if (wanted === 'running') return { standsStill: still.text };
  return warned(warnings, [{ about: 'stands still', text: still.text }]);
}

/** Whether an action ends with a guest that begins anew. */
function startsIt({ kind }: Action): boolean {
  return ['destroy', 'restart', 'roll-back'].includes(kind);
}

/** What is done to a machine that is there without knowing more than its configuration. */
const TO_WHAT_IS_THERE: readonly Action['kind'][] = ['configure', 'resize'];
/** And to one that this run makes: nobody else has to do with it yet. */
const TO_WHAT_IS_MADE: readonly Action['kind'][] = [
  ...TO_WHAT_IS_THERE,
  'create',
  'clone',
  'power',
  'regenerate-cloud-init',
  'make-template',
];

/**
 * Whether a plan does more than what was judged before, with the cluster at hand. A refusal is judged with it again. Where
 * the cluster is at hand, nothing is asked for.
 */
function doesMoreThanJudged(
  spec: MachineSpec,
  have: ObservedMachine,
  { actions, refusals, restart }: MachinePlan,
  { done: { uuid } }: PlanContext,
): boolean {
  const isMade = !('guest' in have) || have.guest.mark?.uuid === uuid;
  const kinds = isMade ? TO_WHAT_IS_MADE : TO_WHAT_IS_THERE;
  // whether it starts again is judged before anything is written for that restart
  if (refusals.length > 0 || restart === 'now' || isAboutHa(spec)) return true;
  return actions.some(({ kind }) => !kinds.includes(kind));
}
