import {
  formatProblems,
  formatSize,
  isRecord,
  parseDesiredState,
  showValue,
  unknownPaths,
  valueAt,
} from '../../spec';
import { InputError } from '../errors';
import { reviewOf, type FieldChange, type Review, type ReviewedMachine } from './review';

/** A desired state, as JSON that may hold values which only Terraform knows. */
interface StateDocument {
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
    const cluster = textAt(json, 'cluster', 'name') ?? '';
    const all = valueAt(json, ['machines']);
    return Array.isArray(all) ? all.map((machine: unknown) => wanted(machine, cluster)) : [];
  });
  const owners = documents.flatMap(({ json }) => textAt(json, 'owner') ?? []);
  const about = { owners: [...new Set(owners)].sort(), plannedAt: undefined, commit: undefined };
  return reviewOf('folder', about, machines, []);
}

function wanted(machine: unknown, cluster: string): ReviewedMachine {
  const id = textAt(machine, 'id') ?? '';
  const unknown = unknownPaths(machine);
  return {
    id,
    cluster,
    module: '',
    name: textAt(machine, 'name') ?? id,
    verdict: unknown.length > 0 ? 'unknown' : 'wanted',
    vmid: undefined,
    before: undefined,
    after: textAt(machine, 'node'),
    does: [],
    disks: undefined,
    losses: undefined,
    snapshots: [],
    changes: fieldsOf(machine, []).filter(({ field }) => field !== 'id'),
    waiting: [],
    notes: unknown.map(
      ({ path, expression }) => `${path.join('.')} is known only when it is applied: ${expression}`,
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
  if (!Array.isArray(value)) return isRecord(value) ? Object.entries(value) : undefined;
  const named = value.flatMap((part: unknown): [string, unknown][] => {
    const name = textAt(part, 'name');
    return name === undefined ? [] : [[name, part]];
  });
  return named.length === value.length ? named : undefined;
}

function textAt(json: unknown, ...path: string[]): string | undefined {
  const value = valueAt(json, path);
  return typeof value === 'string' ? value : undefined;
}
