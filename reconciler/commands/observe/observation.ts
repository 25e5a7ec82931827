import type { Difference, Observation, PlanToken } from '../../../spec';
import { type MachinePlan, makesGuest } from '../../action';
import { driftOf } from '../../life/drift-text';
import { generationOf } from '../../guest/generation';
import { namesOf } from '../../guest/losses';
import { costOfPlan } from '../../plan/shown/cost';
import { differenceText } from '../../report/difference';
import type { ObservedMachine } from '../../observed';
import { factsForToken, freshToken, whoseForToken } from '../../plan/shown/token';
import { refusalTexts } from '../../report/refusal-text';
import { oneLine } from '../../report/visible';

/** What is told of a machine of which nothing else is to be told. */
const NOTHING = { diff: '', refusal: '', alone: '', effect: 'none', drift: '', node: '', vmid: '' } as const;

/** How a machine stands that may be written to. */
export function observation(plan: MachinePlan, have: ObservedMachine): Observation {
  const found = { diff: differenceText(plan, have), ...placeOf(have) };
  if (plan.refusals.length > 0) {
    const text = refusalTexts(plan.refusals).join('\n');
    return { ...(isRefusedAlone(plan, have) ? refusedAlone(text) : refused(text)), ...found };
  }
  const later = have.kind === 'absent' && plan.actions.length === 0 ? plan.waitsFor : undefined;
  if (later) return notKnownYet(`it waits for ${later.join(', ')}`);
  const effect = costOfPlan(plan, have);
  const { standsStill: alone = '' } = plan;
  if (effect !== 'none') {
    const token = freshToken({
      ...knownPlace(have),
      ...createOf(plan),
      ...factsForToken(plan, have),
      ...(LOSING.includes(effect) && lossesForToken(plan, have)),
      worst: effect,
    });
    return {
      ...NOTHING,
      ...found,
      alone,
      status: have.kind === 'absent' ? 'absent' : 'different',
      token,
      effect,
    };
  }
  // once it goes on, its apply may do what that of a machine in sync may
  const asIs = (): string => freshToken({ ...whoseForToken(have), worst: 'live' });
  if (alone !== '') return { ...refusedAlone(alone), ...found, token: asIs() };
  const known = have.kind === 'present' ? have.guest.mark?.token : undefined;
  return { ...NOTHING, ...found, status: 'in-sync', token: known ?? asIs() };
}

/** What may lose a part of a guest that is there: its token names all that goes. */
const LOSING: readonly Observation['effect'][] = ['live', 'restart', 'rebuild'];

/** What goes, and in which generation: a restore gives the volumes of other disks the same names. */
function lossesForToken(
  { losses }: MachinePlan,
  have: ObservedMachine,
): Pick<PlanToken, 'losses' | 'generation'> {
  if (losses === undefined) return { losses: [] };
  const generation = 'guest' in have ? generationOf(have.guest.current) : undefined;
  return { losses: namesOf(losses), ...(generation !== undefined && { generation }) };
}

/**
 * A machine as wanted whose address is read, and that nobody knows one of. Its apply waits for one: until then Terraform
 * does not know what reads it.
 */
export function awaitsAddress(plan: MachinePlan, have: ObservedMachine): Observation {
  const diff = JSON.stringify({
    does: ['wait for an address, which is read'],
    changes: [],
  } satisfies Difference);
  const token = freshToken({ ...knownPlace(have), ...factsForToken(plan, have), worst: 'live' });
  return { ...NOTHING, ...placeOf(have), status: 'different', token, effect: 'live', diff };
}

/** A machine that nothing is planned for, and why. */
export function refused(refusal: string): Observation {
  return { ...NOTHING, status: 'refused', token: freshToken({ worst: 'none' }), refusal, effect: 'refused' };
}

/**
 * A machine whose apply is refused, and no other machine's: a precondition would fail the plan of them all. Its token
 * allows nothing: what is mended meanwhile is planned again.
 */
function refusedAlone(alone: string): Observation {
  return { ...NOTHING, status: 'refused', token: freshToken({ worst: 'none' }), alone, effect: 'refused' };
}

/** A machine that is not written to. Its token is always the same, so that Terraform sees no change. */
export function held(status: 'observed' | 'paused', drift = ''): Observation {
  return { ...NOTHING, status, token: status, drift };
}

/** A machine that is only observed, and how it differs from its spec. */
export function observedOnly(plan: MachinePlan, have: ObservedMachine): Observation {
  return { ...held('observed', driftOf(plan, have)), ...placeOf(have) };
}

/** A machine of whose spec only Terraform knows a part. `node`: where it goes, if it is new. */
export function notKnownYet(problems: string, node?: string): Observation {
  const diff = JSON.stringify({ does: [], changes: [], unknown: problems } satisfies Difference);
  const token = freshToken(node === undefined ? {} : { node });
  return { ...NOTHING, status: 'unknown', token, diff };
}

/** The node and the id that were chosen for a machine that is to be created: apply keeps to them. */
function createOf({ actions }: MachinePlan): Pick<PlanToken, 'node' | 'vmid'> {
  const create = actions.find(makesGuest);
  const move = actions.find(action => action.kind === 'migrate');
  return create === undefined ? {} : { node: move?.to ?? create.node, vmid: create.vmid };
}

function placeOf(have: ObservedMachine): Pick<Observation, 'node' | 'vmid'> {
  if (have.kind === 'absent' || have.kind === 'refused') return { node: '', vmid: '' };
  return { node: oneLine(have.guest.node), vmid: String(have.guest.vmid) };
}

/** Where a machine is: what is left to tell of it once it leaves the code. */
function knownPlace(have: ObservedMachine): Pick<PlanToken, 'node' | 'vmid'> {
  return 'guest' in have ? { node: have.guest.node, vmid: have.guest.vmid } : {};
}

/** The guest carries our tag and is not proven: somebody edited it, or copied it. */
const UNPROVEN = [
  ...(['damaged-mark', 'later-mark', 'lost-mark', 'lost-mark-of-entry', 'lost-mark-and-more'] as const),
  ...(['which-device', 'tagged', 'copy', 'two-guests'] as const),
];

/**
 * Somebody worked on the guest or its volumes: a disk was grown or taken off, a volume removed, a snapshot rolled back, a
 * template made. An edit of the code can end in the first two too (a smaller size, a volume that another disk has): nothing tells
 * these apart.
 */
const BY_HAND = [
  ...(['disk-size', 'attached-twice', 'disk-lost', 'disk-gone', 'disk-taken-off'] as const),
  ...(['other-volume', 'rolled-back', 'template'] as const),
];

const ON_ITS_OWN = new Set<string>([...UNPROVEN, ...BY_HAND]);

/**
 * Whether the refusals of a plan hold up this machine alone: all of them may have come about in Proxmox, with no edit of
 * the code. Others, and those of a machine that is still to be made, fail Terraform's plan of all (ADR 0021). Pure.
 */
function isRefusedAlone({ refusals }: Pick<MachinePlan, 'refusals'>, have: ObservedMachine): boolean {
  const isThere = have.kind === 'refused' || (have.kind === 'present' && !have.unfinished);
  return isThere && refusals.every(({ why }) => ON_ITS_OWN.has(why));
}
