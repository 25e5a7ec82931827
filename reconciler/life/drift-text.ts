import type { MachinePlan } from '../action';
import type { ObservedMachine } from '../observed';
import { actionText } from '../report/action-text';
import { refusalTexts } from '../report/refusal-text';
import { changeLines } from '../report/change-lines';

/** How a machine that is only observed differs from its spec, in one line; empty when it does not. The plan has found that (machine/compare.ts). */
export function driftOf(plan: MachinePlan, have: ObservedMachine): string {
  if (have.kind === 'absent') return 'it is not there, and is not created';
  if (plan.refusals.length > 0) return refusalTexts(plan.refusals).join(' ');
  if (plan.waitsFor && plan.actions.length === 0)
    return `it is only partly there: ${plan.waitsFor.join('; ')}`;
  const lines = [...changeLines(plan), ...(plan.standsStill === undefined ? [] : [plan.standsStill])];
  if (lines.length > 0) return lines.join('; ');
  // only our own note is missing on a guest that was never taken over: that is no difference of the machine
  return plan.actions
    .filter(({ kind }) => kind !== 'configure')
    .map(actionText)
    .join('; ');
}

/** The same as a sentence about the machine; undefined when there is nothing to tell. */
export function driftSentence(drift: string): string | undefined {
  if (drift === '') return undefined;
  return `differs from its spec, and is only observed (mode: observe): ${drift}. Nothing was written.`;
}
