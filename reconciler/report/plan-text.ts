import type { Change, MachinePlan } from '../action';
import { actionText } from './action-text';

/** The changes of a plan, one line each: field, from, to, and what it costs where that is more than nothing. */
function changeLines({ changes, waiting }: MachinePlan): string[] {
  return [
    ...changes.map(changeLine),
    ...waiting.map(change => `${changeLine({ ...change, effect: 'live' })} (waits for a restart)`),
  ];
}

function changeLine({ field, from, to, effect }: Change): string {
  const cost = effect === 'live' ? '' : ` (${effect})`;
  return `${field}: ${from ?? '(none)'} -> ${to ?? '(none)'}${cost}`;
}

/** A plan for people: what each machine is, and what would change. */
export function planText(plans: MachinePlan[]): string {
  return [...plans.flatMap(machineLines), totals(plans)].join('\n');
}

function machineLines(plan: MachinePlan): string[] {
  return [
    `${plan.machine}: ${stateOf(plan)}`,
    ...changeLines(plan).map(line => `  ${line}`),
    ...plan.refusals.map(({ detail, remedy }) => `  ! ${detail} ${remedy}`),
  ];
}

function stateOf({ actions, refusals }: MachinePlan): string {
  if (refusals.length > 0) return 'refused';
  return actions.length === 0 ? 'in sync' : `would be ${actions.map(actionText).join(', then ')}`;
}

function totals(plans: MachinePlan[]): string {
  const refused = plans.filter(({ refusals }) => refusals.length > 0).length;
  const changed = plans.filter(({ actions }) => actions.length > 0).length;
  const inSync = plans.length - refused - changed;
  return `${changed} to change, ${inSync} in sync, ${refused} refused.`;
}
