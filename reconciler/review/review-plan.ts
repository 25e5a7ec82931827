import { protocolMismatch } from '../../spec';
import { InputError } from '../errors';
import { aboutPlan } from './about';
import { hasRegistry } from './plan/configuration';
import type { PlanDocument } from './plan/plan-document';
import { UNTOLD } from './plan/observers';
import { withOwnReadings } from './plan/own-readings';
import { runsDestroy } from './plan/entry-change';
import { machinesOfPlan, queriesOfPlan, type MachineParts } from './plan/machine-parts';
import { readPlan } from './plan/read';
import { toldOf } from './observer-answer';
import { reviewOf, type Review } from './review';
import { anotherMachine, standingGuest, type StandingGuest } from './standing-guest';
import { reviewMachine } from './verdicts';
import { withUnreached, type Reviewed } from './unreached';
import { warningsOf } from './warnings';

/** Reviews the JSON text of a plan. It asks neither Proxmox nor Terraform. */
export function reviewPlan(text: string, name: string): Review {
  const plan = withOwnReadings(readPlan(text, name));
  for (const { protocol } of queriesOfPlan(plan)) {
    const mismatch = protocol === UNTOLD ? undefined : protocolMismatch(String(protocol));
    if (mismatch !== undefined) throw new InputError(`${name}: ${mismatch}`);
  }
  const parts = machinesOfPlan(plan);
  if (parts.length === 0 && !hasRegistry(plan)) {
    throw new InputError(
      `${name} is a plan without a machine of cdktf-proxmox: there is nothing to review. Give the plan of a stack with a ProxmoxCluster, or with the module.`,
    );
  }
  const there = parts.filter(machine => !leftAlready(machine, plan));
  const guests = new Map(there.map(machine => [machine, standingGuest(machine, plan.complete)]));
  const going = new Set([...guests].flatMap(([machine, guest]) => goingOf(machine, guest)));
  const alone = [...guests].map(([machine, { clones, ...guest }]) => {
    const standing = {
      ...guest,
      clones: clones.filter(vmid => !going.has(String(vmid))),
      isWanted: there.some(one => isWantedAs(one, machine, guest.machine)),
      goesBefore: machine.entryChange.entry === 'new' && going.has(toldOf(machine)?.vmid ?? ''),
    };
    return [machine, reviewMachine(machine, standing, plan.errored === true)] satisfies Reviewed;
  });
  const reviewed = plan.errored ? alone : withUnreached(alone, plan);
  return reviewOf(
    'plan',
    aboutPlan(plan, parts),
    reviewed.map(([, machine]) => machine),
    warningsOf(plan, reviewed),
  );
}

/** Whether one of the same call or cluster has this id, and stays. */
function isWantedAs(
  { id, module, cluster, entryChange }: MachineParts,
  other: MachineParts,
  machine = '',
): boolean {
  return (
    id === machine && module === other.module && cluster === other.cluster && entryChange.entry !== 'gone'
  );
}

/** The number of its guest, where the apply destroys it and nothing keeps it from going. */
function goingOf(parts: MachineParts, guest: StandingGuest): string[] {
  const { vmid, stays, isOthers, isOfNone } = guest;
  const isFree = stays === undefined && anotherMachine(parts, guest) === undefined;
  const isGoing = runsDestroy(parts.entryChange) && isFree && !isOthers && !isOfNone;
  return isGoing && vmid !== undefined ? [vmid] : [];
}

/**
 * Whether a machine of the code is gone already: the state holds nothing of it, and the plan destroys what is left, as
 * after a destroy that was broken off. In any other plan a machine that is left out was left out on purpose.
 */
function leftAlready({ entry, standing, snapshots }: MachineParts, plan: PlanDocument): boolean {
  if (entry !== undefined || standing !== undefined || plan.complete === false) return false;
  if (snapshots.some(({ entryChange }) => runsDestroy(entryChange))) return false;
  const managed = (plan.resource_changes ?? []).filter(({ mode }) => mode === 'managed');
  const isLeaving = managed.every(({ change }) => change.actions.join() === 'delete');
  return managed.length > 0 && isLeaving;
}
