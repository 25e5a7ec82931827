import type { Difference, Observation, PlanToken } from '../../../spec';
import type { MachinePlan } from '../../action';
import { driftOf } from '../../apply/drift';
import { costOf } from '../../plan/cost';
import { differenceText } from '../../report/difference';
import type { ObservedMachine } from '../../observed';
import { foundBy, freshToken } from '../../plan/token';
import { refusalTexts } from '../../report/refusal-text';
import { oneLine } from '../../report/visible';

const NOWHERE = { node: '', vmid: '' };

/** How a machine stands that may be written to. */
export function observation(plan: MachinePlan, have: ObservedMachine): Observation {
  const diff = differenceText(plan, have);
  const place = placeOf(have);
  if (plan.refusals.length > 0) {
    return {
      ...refused(refusalTexts(plan.refusals).join('\n')),
      diff,
      ...place,
    };
  }
  const later = have.kind === 'absent' && plan.actions.length === 0 ? plan.waitsFor : undefined;
  if (later) return notKnownYet(`it waits for ${later.join(', ')}`);
  const effect = costOf(plan, have);
  if (effect !== 'none') {
    const found = { ...knownPlace(have), ...createOf(plan), ...foundBy(plan, have) };
    const token = freshToken({ ...found, worst: effect });
    const status = have.kind === 'absent' ? 'absent' : 'different';
    return { status, token, diff, refusal: '', effect, drift: '', ...place };
  }
  const known = have.kind === 'present' ? have.guest.mark?.t : undefined;
  return {
    status: 'in-sync',
    token: known ?? freshToken({ worst: 'live' }),
    diff,
    refusal: '',
    effect,
    drift: '',
    ...place,
  };
}

/** A machine that nothing is planned for, and why. */
export function refused(refusal: string): Observation {
  return {
    status: 'refused',
    token: freshToken({}),
    diff: '',
    refusal,
    effect: 'refused',
    drift: '',
    ...NOWHERE,
  };
}

/** A machine that is not written to. Its token is always the same, so that Terraform sees no change. */
export function held(status: 'observed' | 'paused', drift = ''): Observation {
  return { status, token: status, diff: '', refusal: '', effect: 'none', drift, ...NOWHERE };
}

/** A machine that is only observed, and how it differs from its spec. */
export function observedOnly(plan: MachinePlan, have: ObservedMachine): Observation {
  const place = 'guest' in have ? { node: have.guest.node, vmid: String(have.guest.vmid) } : NOWHERE;
  return { ...held('observed', driftOf(plan, have)), ...place };
}

/** A machine of whose spec only Terraform knows a part. `node`: where it goes, if it is new. */
export function notKnownYet(problems: string, node?: string): Observation {
  const diff = JSON.stringify({ does: [], changes: [], unknown: problems } satisfies Difference);
  const token = freshToken(node === undefined ? {} : { node });
  return { status: 'unknown', token, diff, refusal: '', effect: 'none', drift: '', ...NOWHERE };
}

/** The node and the id that were chosen for a machine that is to be created: apply keeps to them. */
function createOf({ actions }: MachinePlan): Pick<PlanToken, 'node' | 'vmid'> {
  const create = actions.find(action => action.kind === 'create' || action.kind === 'clone');
  const move = actions.find(action => action.kind === 'migrate');
  return create === undefined ? {} : { node: move?.to ?? create.node, vmid: create.vmid };
}

function placeOf(have: ObservedMachine): Pick<Observation, 'node' | 'vmid'> {
  if (have.kind === 'absent' || have.kind === 'refused') return NOWHERE;
  return { node: oneLine(have.guest.node), vmid: String(have.guest.vmid) };
}

/** Where a machine is: what is left to tell of it once it leaves the code. */
function knownPlace(have: ObservedMachine): Pick<PlanToken, 'node' | 'vmid'> {
  return 'guest' in have ? { node: have.guest.node, vmid: have.guest.vmid } : {};
}
