import { withoutIndexes } from './plan/configuration';
import { beforeUnreached } from './snapshot-steps';
import type { PlanDocument } from './plan/plan-document';
import { runsDestroy } from './plan/entry-change';
import type { MachineParts } from './plan/machine-parts';
import { isMadeNoMore, toldOf } from './observer-answer';
import type { ReviewedMachine } from './review';
import { addressOf } from './words';

export type Reviewed = readonly [MachineParts, ReviewedMachine];

/** True for a machine whose destroy the apply runs, and refuses. */
export function refusesToDestroy([{ entryChange }, { verdict }]: Reviewed): boolean {
  return verdict === 'refused' && runsDestroy(entryChange);
}

/** True for a machine that the apply destroys, and then refuses to make again. */
export function refusesToMake([parts, { verdict }]: Reviewed): boolean {
  return verdict === 'destroy' && isMadeNoMore({ parts, told: toldOf(parts) });
}

/**
 * What becomes of machines where the apply refuses others. Tried with Terraform 1.11: it makes no revision before all
 * leaving entries of the registries that it depends on are destroyed, and those beside the refused one are destroyed all
 * the same. So a machine whose entry is replaced goes, and nothing makes it again.
 */
export function withUnreached(reviewed: readonly Reviewed[], plan: PlanDocument): Reviewed[] {
  const refused = reviewed.filter(one => one[1].verdict === 'refused' || refusesToMake(one));
  if (refused.length === 0) return [...reviewed];
  const all = reviewed.map(([, machine]) => machine);
  return reviewed.map(([parts, machine]) => {
    if (!isMade(parts) || UNTOUCHED.includes(machine.verdict)) return [parts, machine];
    const needs = dependenciesOf(plan, parts.revision?.address ?? '');
    const ahead = refused.filter(one => isAhead(one, parts, needs));
    if (ahead.length === 0) return [parts, machine];
    const names = ahead.map(
      one => `${refusesToDestroy(one) ? 'the destroy of ' : ''}${addressOf(one[1], all)}`,
    );
    const place = names.sort().join(', ');
    return [parts, isDestroyed(parts, machine) ? notMadeAgain(machine, place) : unreached(machine, place)];
  });
}

const UNTOUCHED: readonly ReviewedMachine['verdict'][] = ['refused', 'forget', 'unplanned', 'destroy'];

function isMade({ revision }: MachineParts): boolean {
  return revision?.change.actions.includes('create') === true;
}

/** Whether Terraform comes to a machine only after the refused one. */
function isAhead(refused: Reviewed, parts: MachineParts, needs: ReadonlySet<string>): boolean {
  const [{ entry, revision }] = refused;
  const destroys = refusesToDestroy(refused);
  if (destroys && registryOf(refused[0]) === registryOf(parts)) return true;
  return needs.has(withoutIndexes((destroys ? entry : revision)?.address ?? ''));
}

function registryOf({ module, cluster }: MachineParts): string {
  return module === '' ? cluster : module;
}

function isDestroyed({ entryChange }: MachineParts, { verdict }: ReviewedMachine): boolean {
  return verdict === 'rebuild' && entryChange.entry === 'replaced' && entryChange.spared === undefined;
}

function unreached(machine: ReviewedMachine, place: string): ReviewedMachine {
  const note = `The apply fails at ${place} before it comes to this machine: nothing is done to it.`;
  const nothing = { changes: [], waiting: [], disks: undefined, mayLose: false, ...beforeUnreached(machine) };
  return { ...machine, ...nothing, verdict: 'unreached', after: machine.before, notes: [note] };
}

function notMadeAgain(machine: ReviewedMachine, place: string): ReviewedMachine {
  const note = `It is not made again: the apply fails at ${place} before that. The next apply creates it.`;
  return {
    ...machine,
    verdict: 'destroy',
    does: [],
    snapshots: machine.snapshots.filter(({ does }) => does === 'delete'),
    changes: [],
    notes: [...machine.notes, note],
  };
}

/** What a resource of the outermost module waits for, directly or not, by the code: addresses without indexes. */
function dependenciesOf({ configuration }: PlanDocument, address: string): Set<string> {
  const written = new Map(
    (configuration?.root_module?.resources ?? []).map(resource => [resource.address, resource] as const),
  );
  const found = new Set<string>();
  const visit = (at: string): void => {
    const { expressions = {}, depends_on = [] } = written.get(at) ?? {};
    const read = Object.values(expressions).flatMap(({ references = [] }) => references);
    for (const next of [...read, ...depends_on].map(resourceOf)) {
      if (found.has(next) || !written.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(withoutIndexes(address));
  return found;
}

/** A plan does not tell what a local is made of. These are of a stack: its registries, and the answer of its observer. */
const LOCALS = [
  [/^local\.entries_/, 'null_resource.'],
  [/^local\.observed_/, 'data.external.observe_'],
] as const;

/** The resource that a reference names: it may go on to an attribute. */
function resourceOf(reference: string): string {
  const said = LOCALS.reduce((text, [local, resource]) => text.replace(local, resource), reference);
  const parts = withoutIndexes(said).split('.');
  return parts.slice(0, parts[0] === 'data' ? 3 : 2).join('.');
}
