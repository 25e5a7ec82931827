import { formatProblems, formatSize, parseDesiredState, showValue, unknownPaths } from '../../spec';
import { InputError } from '../errors';
import { reviewOf, type FieldChange, type Review, type ReviewedMachine } from './review';
import { valueOf } from './value-of';

/** A desired state, as JSON that may hold values which only Terraform knows. */
export interface StateDocument {
  name: string;
  json: unknown;
}

/** What the folder of a stack wants, before any plan. It asks nobody. */
export function reviewFolder(documents: StateDocument[]): Review {
  const machines = documents.flatMap(({ name, json }) => {
    const parsed = parseDesiredState(json);
    if (!parsed.ok && !parsed.deferred) {
      throw new InputError(`${name}:\n${formatProblems(parsed.problems)}`);
    }
    const cluster = textOf(valueOf(valueOf(json, 'cluster'), 'name')) ?? '';
    const all: unknown = valueOf(json, 'machines');
    return Array.isArray(all) ? all.map((machine: unknown) => wanted(machine, cluster)) : [];
  });
  const owners = documents.flatMap(({ json }) => textOf(valueOf(json, 'owner')) ?? []);
  const about = { owners: [...new Set(owners)].sort(), plannedAt: undefined, commit: undefined };
  return reviewOf('folder', about, machines, []);
}

function wanted(machine: unknown, cluster: string): ReviewedMachine {
  const id = textOf(valueOf(machine, 'id')) ?? '';
  const unknown = unknownPaths(machine);
  return {
    id,
    cluster,
    module: '',
    name: textOf(valueOf(machine, 'name')) ?? id,
    verdict: unknown.length > 0 ? 'unknown' : 'wanted',
    vmid: undefined,
    before: undefined,
    after: textOf(valueOf(machine, 'node')),
    does: [],
    disks: undefined,
    changes: fieldsOf(machine, []).filter(({ field }) => field !== 'id'),
    waiting: [],
    notes: unknown.map(
      ({ path, expression }) =>
        `${path.map(String).join('.')} is known only when it is applied: ${expression}`,
    ),
  };
}

/** Each field that is said, by its path; a list of named things goes by their names. */
function fieldsOf(value: unknown, path: readonly string[]): FieldChange[] {
  const inner = partsOf(value);
  if (inner !== undefined && unknownPaths(value).every(({ path: place }) => place.length > 0)) {
    return inner.flatMap(([key, part]) => fieldsOf(part, [...path, key]));
  }
  const to = unknownPaths(value).length > 0 ? '(known when it is applied)' : textFor(value, path);
  return [{ field: path.join('.'), to, effect: 'live' }];
}

function textFor(value: unknown, path: readonly string[]): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && isSize(path) ? formatSize(value) : showValue(value, path);
}

const SIZES = ['memory', 'balloon', 'minFreeMemory', 'size'];

/** A synthesized stack holds sizes in bytes. */
function isSize(path: readonly string[]): boolean {
  return SIZES.includes(path.at(-1) ?? '');
}

function partsOf(value: unknown): [string, unknown][] | undefined {
  if (!Array.isArray(value)) {
    return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  }
  const named = value.map((part: unknown): [string | undefined, unknown] => [
    textOf(valueOf(part, 'name')),
    part,
  ]);
  return named.every((pair): pair is [string, unknown] => pair[0] !== undefined) ? named : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
