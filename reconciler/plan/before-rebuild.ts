import { hasOwnData, type MachineSpec } from '../../spec';
import type { Action, CopiedGuest, GuestPlace, MachinePlan, Refusal } from '../action';
import type { PlaceOfNew } from '../machine/facts';
import type { PlanContext } from '../machine/plan-context';
import type { ListedGuest, ObservedMachine } from '../observed';
import { planCreate } from './create';
import { firstStart } from './first-start';
import { refusalOf } from '../machine/problem';
import { whyNotAgain } from '../machine/problems/why-not-again';
import { notMade } from './not-made';
import { permitted } from './preflight';

/** What comes of a machine that is destroyed to be made anew. */
interface Anew {
  /** What would keep it from being made. */
  refusals: Refusal[];
  /** What is fetched before it is destroyed. */
  before: Action[];
  /** What it is then copied from. */
  copies?: CopiedGuest;
}

const NOTHING_ANEW: Anew = { refusals: [], before: [] };

/**
 * Of a machine that is destroyed to be made anew: what would keep it from being made, said before it is destroyed; and
 * what is fetched before that, so that a wrong image destroys nothing.
 */
export function madeAnew(
  spec: MachineSpec,
  have: ObservedMachine,
  old: MachinePlan,
  context: PlanContext,
): Anew {
  const destroy = old.actions.find(action => action.kind === 'destroy');
  if (!('guest' in have) || destroy === undefined) return NOTHING_ANEW;
  const place = context.facts.ask('place', String(spec.vmid ?? have.guest.vmid));
  if (place === undefined) return NOTHING_ANEW;
  if ('machine' in place) return { refusals: place.refusals, before: [] };
  if (hasOwnData(spec.cloudInit)) context.facts.ask('isos', place.destination ?? place.node);
  const absent = { kind: 'absent' } as const;
  const imagined = { ...context, facts: context.facts.withoutAsking() };
  const plan = planCreate(spec, place, imagined);
  const off = destroy.starts ? neverOn(spec, place, plan, imagined) : [];
  context.facts.askFor(imagined.facts);
  const denied = permitted({ spec, plan, have: absent, context, place });
  const never = notMade(spec, context.wanted, { replaces: true });
  const clone = plan.actions.find(action => action.kind === 'clone');
  const copies = clone && copiedGuest(spec, clone.source, context.facts.cluster?.guests ?? []);
  return {
    refusals: [...never, ...plan.refusals, ...denied, ...off],
    before: plan.actions.filter(({ kind }) => kind === 'fetch-image'),
    ...(copies && { copies }),
  };
}

/** Why the new machine would be made, and could not start. */
function neverOn(
  spec: MachineSpec,
  place: PlaceOfNew,
  { actions, refusals }: MachinePlan,
  context: PlanContext,
): Refusal[] {
  const start = refusals.length === 0 ? firstStart(spec, place, actions, context) : undefined;
  if (start === undefined) return [];
  const who = 'It is to be made anew, and';
  return whyNotAgain(start.scene, { ...start, who }).map(problem => ({
    ...refusalOf(spec.id, problem),
    changed: 'nothing',
  }));
}

/** A guest that is to be copied, as the listing tells it. Undefined: the listing does not have it. */
function copiedGuest(
  { image }: Pick<MachineSpec, 'image'>,
  place: GuestPlace,
  guests: readonly ListedGuest[],
): CopiedGuest | undefined {
  const guest = guests.find(({ vmid }) => vmid === place.vmid);
  if (guest === undefined) return undefined;
  const { template, name } = guest;
  return { ...place, template, ...(name !== undefined && image?.template === name && { name }) };
}

/** The action, where it makes the machine anew with what it is then copied from. */
export function copying(action: Action, { copies }: Anew): Action {
  return action.kind === 'destroy' && copies !== undefined ? { ...action, copies } : action;
}
