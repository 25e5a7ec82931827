import type { Difference, MachineSpec } from '../spec';
import type { Action, MachinePlan } from './action';
import { isUnfinished } from './action';
import type { ObservedMachine } from './observed';
import { planTexts } from './report/action-text';

/** What a plan would change, as JSON text for who reviews it; empty when there is nothing to tell. */
export function differenceText(plan: MachinePlan, have: ObservedMachine, spec: MachineSpec): string {
  const { actions, changes, waiting, waitsFor } = plan;
  if (!isUnfinished(plan) && changes.length === 0 && waiting.length === 0) return '';
  const difference: Difference = {
    does: planTexts(actions),
    changes,
    ...(waiting.length > 0 && { waiting }),
    ...(waitsFor && { waitsFor }),
    ...restartOf(plan, have, spec),
    ...(have.kind === 'adoptable' && { adopts: true }),
    ...nodeOf(plan),
  };
  return JSON.stringify(difference);
}

function restartOf(
  { actions, changes, waiting }: MachinePlan,
  have: ObservedMachine,
  spec: MachineSpec,
): Pick<Difference, 'restart'> {
  if (have.kind === 'absent' || actions.some(({ kind }) => kind === 'destroy')) return {};
  const needed = waiting.length > 0 || changes.some(({ effect }) => effect === 'restart');
  return needed ? { restart: spec.restart === 'whenNeeded' ? 'now' : 'later' } : {};
}

function nodeOf(plan: MachinePlan): Pick<Difference, 'node'> {
  const node = birthNode(plan) ?? moveIn(plan)?.to;
  return node === undefined ? {} : { node };
}

/** The node that was chosen for a machine that is to be born: apply keeps to it. */
function birthNode(plan: MachinePlan): string | undefined {
  const birth = plan.actions.find(action => action.kind === 'create' || action.kind === 'clone');
  return birth === undefined ? undefined : (moveIn(plan)?.to ?? birth.node);
}

function moveIn({ actions }: MachinePlan): Extract<Action, { kind: 'migrate' }> | undefined {
  return actions.find(action => action.kind === 'migrate');
}
