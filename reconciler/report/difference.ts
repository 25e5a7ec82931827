import type { Difference, SnapshotStep } from '../../spec';
import { isUnfinished, type MachinePlan, makesGuest } from '../action';
import type { ObservedMachine } from '../observed';
import { allSteps, doing } from './action-text';
import { shownChanges } from './change-lines';

/** What a plan would change, as JSON text for who reviews it; empty when there is nothing to tell. */
export function differenceText(plan: MachinePlan, have: ObservedMachine): string {
  const { changes, waiting, waitsFor, standsStill } = plan;
  const isTold = changes.length > 0 || waiting.length > 0 || plan.notes || standsStill !== undefined;
  if (!isUnfinished(plan) && !isTold) return '';
  const warnings = [
    ...(standsStill === undefined ? [] : [standsStill]),
    ...(plan.warnings ?? []).map(({ text }) => text),
  ];
  const difference: Difference = {
    does: allSteps(plan).map(doing),
    changes: shownChanges(changes),
    ...(waiting.length > 0 && { waiting }),
    ...(waitsFor && { waitsFor }),
    ...(warnings.length > 0 && { warnings }),
    ...(plan.notes && { notes: plan.notes }),
    ...(plan.restart && { restart: plan.restart }),
    ...(have.kind === 'adoptable' && { adopts: true }),
    ...(plan.losses && { losses: plan.losses }),
    ...snapshotsOf(plan),
    ...nodeOf(plan),
  };
  return JSON.stringify(difference);
}

/** What becomes of snapshots; what cannot be undone first. A guest that is made anew loses all: its losses tell that. */
function snapshotsOf({ actions, foreseen = [], losses }: MachinePlan): Pick<Difference, 'snapshots'> {
  const gone = actions.some(({ kind }) => kind === 'destroy') ? [] : (losses?.snapshots ?? []);
  const steps = [
    ...gone.map((lost): SnapshotStep => ({ does: 'delete', ...lost })),
    ...[...actions, ...foreseen].flatMap((action): SnapshotStep[] => {
      if (action.kind === 'roll-back') return [{ does: 'revert', name: action.name }];
      if (action.kind !== 'take-snapshot') return [];
      return [{ does: 'take', name: action.name, ...(action.memory && { memory: true }) }];
    }),
  ];
  return steps.length === 0 ? {} : { snapshots: steps };
}

/** The node that was chosen for a machine that is to be created or moved: apply keeps to it. */
function nodeOf({ actions }: MachinePlan): Pick<Difference, 'node'> {
  const move = actions.find(action => action.kind === 'migrate');
  const create = actions.find(makesGuest);
  const node = move?.to ?? create?.node;
  return node === undefined ? {} : { node };
}
