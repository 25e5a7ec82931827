import { counted } from '../errors';
import { isUnfinished, type MachinePlan } from '../action';
import { oneLine } from './visible';
import { lossesList } from '../plan/losses-text';
import { refusalTexts } from './refusal-text';
import { allSteps, type Step } from './action-text';
import { changeLines } from './change-lines';

/** A plan for people: what each machine is, and what would change. `failed`: how many machines have no plan. */
export function planText(plans: MachinePlan[], failed: number): string {
  return [...plans.flatMap(machineLines), totals(plans, failed)].join('\n');
}

function machineLines(plan: MachinePlan): string[] {
  return [
    oneLine(`${plan.machine}: ${stateOf(plan)}`),
    ...changeLines(plan, plan.mode === undefined ? plan.restart : undefined).map(
      line => `  ${oneLine(line)}`,
    ),
    ...(plan.nodes ?? []).map(
      ({ node, taken, reason }) =>
        `  node ${oneLine(`${node}: ${taken ? 'taken' : 'not taken'}: ${reason}`)}`,
    ),
    ...lostLines(plan).map(line => `  LOST: ${oneLine(line)}`),
    ...(plan.standsStill === undefined ? [] : [`  WARNING: ${oneLine(plan.standsStill)}`]),
    ...(plan.warnings ?? []).map(({ text }) => `  WARNING: ${oneLine(text)}`),
    ...(plan.notes ?? []).map(text => `  note: ${oneLine(text)}`),
    ...(plan.waitsFor ?? []).map(text => `  waits for ${oneLine(text)}`),
    ...refusalTexts(plan.refusals).map(text => `  ! ${text}`),
  ];
}

/** What is lost by a plan that makes nothing anew: of one that does, its first line names all. */
function lostLines({ actions, losses }: MachinePlan): string[] {
  const isWhole = actions.some(({ kind }) => kind === 'destroy');
  return losses === undefined || isWhole ? [] : [lossesList(losses)];
}

function stateOf(plan: MachinePlan): string {
  const { actions, refusals, mode } = plan;
  if (mode === 'paused') return 'paused: not read';
  if (mode === 'observe') return 'only observed (mode: observe), nothing is written';
  if (refusals.length > 0) return 'refused';
  if (actions.length === 0 && isUnfinished(plan))
    return 'not there, or only partly there: to be planned when what it waits for is over';
  if (isWaiting(plan)) return 'as wanted after a restart, which the spec does not allow';
  if (isStill(plan)) return 'as wanted, but it stands still';
  if (actions.length === 0) return 'in sync';
  return `would ${allSteps(plan, restartAfter(plan)).join(', then ')}`;
}

/** Whether all is written, and part of it only counts after a restart that nobody does. */
function isWaiting(plan: MachinePlan): boolean {
  const { mode, refusals, waiting } = plan;
  return (
    mode === undefined && refusals.length === 0 && !isUnfinished(plan) && waiting.length > 0 && !isStill(plan)
  );
}

/** Whether nothing is left to write, and the guest does not run all the same. */
function isStill(plan: MachinePlan): boolean {
  const { mode, refusals, standsStill } = plan;
  return mode === undefined && refusals.length === 0 && !isUnfinished(plan) && standsStill !== undefined;
}

/** The restart that follows a write: planned once Proxmox says that the change waits for it. Going back is none. */
function restartAfter({ actions, changes, restart }: MachinePlan): Step[] {
  const isPlanned = actions.some(({ kind }) => kind === 'restart');
  const goesBack = actions.some(({ kind }) => kind === 'roll-back');
  const isNeeded = changes.some(({ effect, field }) => effect === 'restart' && field !== 'revertTo');
  return restart === 'now' && !isPlanned && (!goesBack || isNeeded) ? ['restart'] : [];
}

function totals(plans: MachinePlan[], failed: number): string {
  const of = (counts: (plan: MachinePlan) => boolean): number => plans.filter(counts).length;
  const observed = of(({ mode }) => mode === 'observe');
  const paused = of(({ mode }) => mode === 'paused');
  const refused = of(({ mode, refusals }) => mode === undefined && refusals.length > 0);
  const changed = of(plan => plan.mode === undefined && isUnfinished(plan));
  const waiting = of(isWaiting);
  const still = of(isStill);
  const inSync = plans.length - refused - changed - waiting - still - observed - paused;
  const restarts = waiting === 0 ? '' : `, ${counted(waiting, 'waits', 'wait')} for a restart`;
  const stills = still === 0 ? '' : `, ${counted(still, 'stands still', 'stand still')}`;
  const unread = failed === 0 ? '' : `, ${failed} failed`;
  return `${changed} to change, ${inSync} in sync, ${refused} refused${restarts}${stills}${heldCounts(observed, paused)}${unread}.`;
}

/** The machines that a run does not write to, where there are any. */
export function heldCounts(observed: number, paused: number): string {
  return `${observed === 0 ? '' : `, ${observed} only observed`}${paused === 0 ? '' : `, ${paused} paused`}`;
}
