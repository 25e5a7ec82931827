import type { Difference, MachineSpec } from '../spec';
import type { Action, Change, MachinePlan } from './action';
import { isUnfinished } from './action';
import type { ObservedMachine } from './observed';
import { isOwnerTag } from './owner-tag';
import { planTexts } from './report/action-text';

/** What a plan would change, as JSON text for who reviews it; empty when there is nothing to tell. */
export function differenceText(plan: MachinePlan, have: ObservedMachine, spec: MachineSpec): string {
  const { actions, changes, waiting, waitsFor } = plan;
  if (!isUnfinished(plan) && changes.length === 0 && waiting.length === 0) return '';
  const difference: Difference = {
    does: [...planTexts(actions), ...afterClone(plan)],
    changes: changes.flatMap(shownChange),
    ...(waiting.length > 0 && { waiting }),
    ...(waitsFor && { waitsFor }),
    ...restartOf(plan, have, spec),
    ...(have.kind === 'adoptable' && { adopts: true }),
    ...nodeOf(plan),
  };
  return JSON.stringify(difference);
}

/** What the apply does once a clone stands: planned when it is read, told by what differs from its template. */
function afterClone({ actions, changes }: MachinePlan): string[] {
  if (!actions.some(({ kind }) => kind === 'clone')) return [];
  const differing = changes.flatMap(shownChange).filter(({ field }) => field !== 'machine');
  const grown = differing.filter(({ field }) => /^disks\[.*\]\.size$/.test(field));
  const written = differing.filter(change => !grown.includes(change) && change.field !== 'power');
  return [
    ...(written.length > 0 ? [`writing ${written.map(({ field }) => field).join(', ')}`] : []),
    ...grown.map(({ field, to }) => `growing ${field.replace(/\.size$/, '')} to ${to ?? ''}`),
    ...(differing.some(({ field, to }) => field === 'power' && to === 'running') ? ['starting'] : []),
  ];
}

/** A change as a person reads it: without the identity that we draw and the tag by which we find our own. */
function shownChange(change: Change): Change[] {
  if (change.field === 'identity') return [];
  if (change.field !== 'tags') return [change];
  const [from, to] = [withoutOurs(change.from), withoutOurs(change.to)];
  return from === to ? [] : [{ ...change, from, to }];
}

function withoutOurs(tags: string | undefined): string | undefined {
  const kept = (tags ?? '').split(';').filter(tag => tag !== '' && !isOwnerTag(tag));
  return kept.length === 0 ? undefined : kept.join(';');
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
