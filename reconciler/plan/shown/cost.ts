import { EFFECTS, type PlanToken } from '../../../spec';
import { isUnfinished, untouched, type MachinePlan, type Refusal } from '../../action';
import { isBroughtBack } from '../../guest/generation';
import { namesOf } from '../../guest/losses';
import type { Done } from '../../machine/plan-context';
import type { ObservedGuest, ObservedMachine } from '../../observed';
import { uuidOf } from '../../guest/uuid';
import { unshown } from './unshown';

/** What a plan would cost, cheapest first: `none`, `create`, `adopt`, `live`, `restart`, `rebuild`, `refused`. */
export type Cost = (typeof EFFECTS)[number];

/** The worst of what a plan does to its machine. */
export function costOfPlan(plan: MachinePlan, have: ObservedMachine): Cost {
  if (plan.refusals.length > 0) return 'refused';
  if (!isUnfinished(plan)) return 'none';
  if (plan.actions.some(({ kind }) => kind === 'destroy')) return 'rebuild';
  if (have.kind === 'absent') return 'create';
  const effects = plan.changes.map(({ effect }): Cost => effect);
  return worst([have.kind === 'adoptable' ? 'adopt' : 'live', ...effects]);
}

/** What a plan that Terraform showed allows. */
export interface Shown {
  worst: Cost;
  /** The token of that plan: a machine that carries it was begun by an earlier run of the same apply. */
  token: string;
  /** What was said to be lost for good, by name. Absent: that is not to be judged, or it was not told. */
  losses?: readonly string[] | undefined;
  /** The generation of the guest in which that would be lost. Absent: nothing would, it has none, or it was not told. */
  generation?: string | undefined;
  /** How its guest was found. Absent: it was to be adopted, or is new and that was not certain. */
  found?: PlanToken['found'];
  /** The uuid of the guest that was to be adopted, or to get its lost mark again. Absent: none was, or it has none. */
  adopts?: PlanToken['adopts'];
  /** Its spec was known in the apply only: what the token says was made then, and nobody was shown it. */
  isUnshown?: boolean;
}

/**
 * What a run objects to in a plan of its own, by what Terraform showed. What follows the first action was planned with it,
 * but for a rebuild: all that it takes is named at once.
 */
export function objectionBy(shown: Shown) {
  return (plan: MachinePlan, have: ObservedMachine, done: HasDone): Refusal[] => {
    const { hasActed } = done;
    const hidden = shown.isUnshown
      ? unshown(plan, costOfPlan(plan, have) === 'rebuild', hasActed)
      : undefined;
    if (hidden !== undefined) return [{ machine: plan.machine, ...hidden }];
    const isNamed = hasActed && shown.worst !== 'rebuild';
    const judged = isNamed ? { ...shown, losses: undefined } : shown;
    // what this run made, or took back, has another generation by that
    const isOwnDoing = isNamed || done.isMade || done.hasReverted;
    return costsMore(isOwnDoing ? { ...judged, generation: undefined } : judged, plan, have);
  };
}

/** What a run has done before the plan that is judged. */
type HasDone = Pick<Done, 'hasActed' | 'isMade' | 'hasReverted'>;

/**
 * Refuses what costs more than was shown. The rest of a creation that was shown is no more than it: its guest is off, and
 * takes all at once. A machine that was made long ago may carry that token still, where nothing has changed it since.
 */
function costsMore(shown: Shown, plan: MachinePlan, have: ObservedMachine): Refusal[] {
  const cost = costOfPlan(plan, have);
  if (cost !== 'refused' && have.kind === 'adoptable') {
    const isAsShown = shown.adopts !== undefined && shown.adopts === uuidOf(have.guest.current);
    if (shown.found !== undefined && !isAsShown) return [notOursAnyMore(plan.machine, have.guest)];
    if (shown.adopts !== undefined && !isAsShown) return [notTheShown(plan.machine, have.guest)];
  }
  const isJudged = (one: Cost): boolean => ['live', 'restart', 'rebuild'].includes(one);
  if (isJudged(cost) && 'guest' in have && isBroughtBack(shown.generation, have.guest.current))
    return [broughtBack(plan.machine, have.guest)];
  const unnamed = isJudged(cost) && rank(cost) <= rank(shown.worst) ? losesMore(shown, plan, cost) : [];
  if (unnamed.length > 0) return unnamed;
  if (cost === 'refused' || rank(cost) <= rank(shown.worst)) return [];
  const isCreate = shown.worst === 'create' || shown.worst === 'adopt';
  const isBegun = have.kind === 'present' && have.guest.mark?.token === shown.token;
  if (isCreate && isBegun && cost === 'live') return [];
  return [
    {
      machine: plan.machine,
      why: 'changed-since-plan',
      detail: `${shownText(shown)}, and now it would be "${cost}".`,
      remedy: 'Plan again, read what it shows, then apply.',
    },
  ];
}

/** The guest that was shown as ours is gone, and its number is another guest's: nobody was shown that this one is taken. */
function notOursAnyMore(machine: string, { vmid, node }: Pick<ObservedGuest, 'vmid' | 'node'>): Refusal {
  const detail = `changed since the plan: VM ${vmid} on ${node} carries no mark of this machine now, and would be adopted, which the plan did not show.`;
  return { machine, ...untouched('changed-since-plan', detail, WHOSE) };
}

/** The guest that was to be adopted is gone, and its number is another guest's, which may have its name too. */
function notTheShown(machine: string, { vmid, node }: Pick<ObservedGuest, 'vmid' | 'node'>): Refusal {
  const detail = `changed since the plan: VM ${vmid} on ${node} is another guest than the one that the plan showed as adopted (by the uuid in its smbios1).`;
  return { machine, ...untouched('changed-since-plan', detail, WHOSE) };
}

/** A restore gives the volumes of other disks the names that the plan showed as lost. */
function broughtBack(machine: string, { vmid, node }: Pick<ObservedGuest, 'vmid' | 'node'>): Refusal {
  const detail = `changed since the plan: VM ${vmid} on ${node} was rolled back, or restored from a backup, since the plan said what is lost of it. Other disks may have those names now.`;
  const remedy = 'Plan again, read what it shows, then apply.';
  return { machine, ...untouched('more-is-lost', detail, remedy) };
}

const WHOSE = 'See whose guest it is. Where it is to be taken over: plan again, then apply.';

/** A token that allows nothing is that of a plan with a refusal, or one that this release cannot read. */
function shownText({ worst }: Shown): string {
  return worst === 'none'
    ? 'changed since the plan, which allowed nothing or cannot be read'
    : `changed since the plan: it showed "${worst}" at worst`;
}

/** What came to a guest after the plan was shown went through no review. */
function losesMore({ losses }: Shown, plan: MachinePlan, cost: Cost): Refusal[] {
  if (losses === undefined) return [];
  const more = namesOf(plan.losses ?? { volumes: [], snapshots: [] }).filter(name => !losses.includes(name));
  if (more.length === 0) return [];
  return [
    {
      machine: plan.machine,
      why: 'more-is-lost',
      detail: `changed since the plan: the ${cost === 'rebuild' ? 'rebuild' : 'apply'} would also take ${more.join(', ')}.`,
      remedy: 'Plan again, read what it shows, then apply.',
      changed: 'nothing',
    },
  ];
}

function worst(costs: Cost[]): Cost {
  return costs.reduce((one, other) => (rank(one) < rank(other) ? other : one));
}

function rank(cost: Cost): number {
  return EFFECTS.indexOf(cost);
}
