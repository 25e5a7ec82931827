import type { Difference } from '../../spec';
import type { Action, MachinePlan } from '../action';
import { isUnfinished } from '../action';
import type { ObservedMachine } from '../observed';
import { deedTexts, shownChanges } from './shown-change';

/** What a plan would change, as JSON text for who reviews it; empty when there is nothing to tell. */
export function differenceText(plan: MachinePlan, have: ObservedMachine): string {
  const { actions, changes, waiting, waitsFor } = plan;
  if (!isUnfinished(plan) && changes.length === 0 && waiting.length === 0) return '';
  const difference: Difference = {
    does: deedTexts(plan),
    changes: shownChanges(changes),
    ...(waiting.length > 0 && { waiting }),
    ...(waitsFor && { waitsFor }),
    ...(plan.restart && { restart: plan.restart }),
    ...(have.kind === 'adoptable' && { adopts: true }),
    ...nodeOf(plan),
  };
  return JSON.stringify(difference);
}

function nodeOf(plan: MachinePlan): Pick<Difference, 'node'> {
  const node = createNode(plan) ?? moveIn(plan)?.to;
  return node === undefined ? {} : { node };
}

/** The node that was chosen for a machine that is to be created: apply keeps to it. */
function createNode(plan: MachinePlan): string | undefined {
  const create = plan.actions.find(action => action.kind === 'create' || action.kind === 'clone');
  return create === undefined ? undefined : (moveIn(plan)?.to ?? create.node);
}

function moveIn({ actions }: MachinePlan): Extract<Action, { kind: 'migrate' }> | undefined {
  return actions.find(action => action.kind === 'migrate');
}
