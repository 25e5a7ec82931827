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
  const clone = actions.find(action => action.kind === 'clone');
  if (clone === undefined) return [];
  const { pool } = clone.params;
  const brought = ['machine', 'name', 'description', 'power', ...(pool === undefined ? [] : ['pool'])];
  const differing = changes.flatMap(shownChange);
  const told = differing.flatMap(({ field, to = '' }) => volumeText(field, to) ?? []);
  const written = differing.filter(
    ({ field, to = '' }) => !brought.includes(field) && volumeText(field, to) === undefined,
  );
  return [
    ...(written.length > 0 ? [`writing ${written.map(({ field }) => field).join(', ')}`] : []),
    ...told,
    ...(differing.some(({ field, to }) => field === 'power' && to === 'running') ? ['starting'] : []),
  ];
}

const VOLUME_TEXTS: Readonly<Record<string, (disk: string, to: string) => string>> = {
  size: (disk, to) => `growing ${disk} to ${to}`,
  storage: (disk, to) => `moving ${disk} to ${to}`,
  format: (disk, to) => `making ${disk} ${to}`,
};

/** What is done to a disk that the clone brought; undefined for what is written. */
function volumeText(field: string, to: string): string | undefined {
  const [, disk, what] = /^(disks\[.*\]|efiDisk|tpm)\.(size|storage|format)$/.exec(field) ?? [];
  return disk === undefined || what === undefined ? undefined : VOLUME_TEXTS[what]?.(disk, to);
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
