import { closest } from '../reading/closest';
import type { MachineSpec } from '../machine/machine';
import type { Path } from '../reading/path';
import type { Finding } from '../reading/problem';
import { pveKey } from '../values/pve-key';
import { PVE_KEYS, type PveKey } from '../values/pve-keys';

type Value = string | number | boolean;
type Lookup = (name: string) => { key: PveKey; index?: number } | undefined;

/** Keys of PVE that options may not hold, that PVE does not know, or whose value PVE would refuse. */
export function* machineOptionFindings({ options = {} }: MachineSpec): Iterable<Finding> {
  yield* optionFindings(options, ['options'], pveKey, PVE_KEYS);
}

/** The same for any table of keys. */
export function* optionFindings(
  options: Readonly<Record<string, Value>>,
  at: Path,
  lookup: Lookup,
  table: Readonly<Record<string, PveKey>>,
): Iterable<Finding> {
  for (const [name, value] of Object.entries(options)) {
    const path = [...at, name];
    const found = lookup(name);
    if (found === undefined) {
      yield { path, kind: 'unknown-field', reason: 'is no key of PVE', ...guess(name, table) };
    } else yield* keyFindings(path, value, found);
  }
}

function guess(name: string, table: Readonly<Record<string, PveKey>>): { allowed?: string; remedy: string } {
  const near = closest(name, Object.keys(table));
  if (near !== undefined) return { remedy: `Did you mean "${near}"?` };
  const free = Object.entries(table).filter(
    ([, key]) => key.field === undefined && key.reserved === undefined,
  );
  const names = free.map(([key, { last }]) => (last === undefined ? key : `${key.replace('[n]', '')}0`));
  return { allowed: names.join(', '), remedy: 'Remove it.' };
}

function* keyFindings(
  path: Path,
  value: Value,
  { key, index }: { key: PveKey; index?: number },
): Iterable<Finding> {
  if (key.field !== undefined) {
    yield { path, reason: `has a field of its own: "${key.field}"`, remedy: `Use "${key.field}" instead.` };
  } else if (key.reserved !== undefined) {
    yield { path, reason: 'cannot be given here', remedy: `Remove it: ${key.reserved}.` };
  } else if (index !== undefined && index > (key.last ?? 0)) {
    yield {
      path,
      reason: 'is past the last one',
      allowed: `up to ${key.last}`,
      remedy: `Use a number up to ${key.last}.`,
    };
  } else {
    const allowed = misfit(value, key);
    if (allowed !== undefined)
      yield {
        path,
        kind: 'invalid',
        reason: 'is not valid',
        allowed,
        remedy: 'Use a value that is allowed.',
      };
  }
}

/** What a key allows, when the value is not among it. */
function misfit(value: Value, { type, from, to, values, form }: PveKey): string | undefined {
  if (type === 'boolean')
    return typeof value === 'boolean' || value === 0 || value === 1 ? undefined : 'true or false';
  if (type !== undefined) {
    const kind = type === 'integer' ? 'a whole number' : 'a number';
    const right = typeof value === 'number' && (type === 'number' || Number.isInteger(value));
    const fits = right && value >= (from ?? -Infinity) && value <= (to ?? Infinity);
    return fits
      ? undefined
      : `${kind}${from === undefined ? '' : ` of at least ${from}`}${to === undefined ? '' : `, at most ${to}`}`;
  }
  if (values !== undefined) return values.includes(String(value)) ? undefined : values.join(', ');
  if (form !== undefined) return form.test(String(value)) ? undefined : `text of the form ${form.source}`;
  // PVE keeps one line a key, and drops what is blank around it: other text would differ at each reading
  return /^\S(?:[^\r\n]*\S)?$/.test(String(value))
    ? undefined
    : 'one line of text, without blanks at either end';
}
