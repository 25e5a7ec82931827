import type { Change, MachinePlan } from '../action';
import { isOwnerTag } from '../mark/owner-tag';
import { planTexts } from './action-text';

/** What a plan does, in words, with what follows a clone once it stands. */
export function actionTexts(plan: MachinePlan): string[] {
  return [...planTexts(plan.actions), ...afterClone(plan)];
}

/** What the apply does once a clone stands: planned when it is read, told by what differs from its template. */
function afterClone({ actions, changes }: MachinePlan): string[] {
  const clone = actions.find(action => action.kind === 'clone');
  if (clone === undefined) return [];
  const { pool } = clone.params;
  const brought = ['machine', 'name', 'description', 'power', ...(pool === undefined ? [] : ['pool'])];
  const differing = shownChanges(changes);
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

/** The changes as a person reads them: one for each field, without what we draw ourselves. */
export function shownChanges(changes: readonly Change[]): Change[] {
  const refused = new Set(changes.filter(({ effect }) => effect === 'refused').map(({ field }) => field));
  return changes
    .filter(({ field, effect }) => effect === 'refused' || !refused.has(field))
    .flatMap(shownChange);
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
