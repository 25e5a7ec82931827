/** Placeholders of a recording: test/contract/recordings/FORMAT.md says what each stands for. */

const KINDS: Record<string, string> = {
  uuid: '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}',
  mac: '(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}',
  upid: 'UPID:[A-Za-z0-9.-]+:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8,9}:[0-9A-Fa-f]{8}:[^:\\s]+:[^:\\s]*:[^:\\s]+:',
  digest: '[0-9a-f]{40}(?:[0-9a-f]{24})?',
  num: '-?\\d+(?:\\.\\d+)?(?:e-?\\d+)?',
  time: '\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d:\\d\\d)?|[A-Z][a-z]{2} [A-Z][a-z]{2} +\\d+ \\d\\d:\\d\\d:\\d\\d \\d{4}|\\d+',
  pid: '\\d+',
  version: '[0-9][0-9A-Za-z.~+-]*',
  ip: '[0-9a-fA-F:.]+',
  ticket: 'PVE:[^\\s]+',
  csrf: '[0-9A-F]{8}:[A-Za-z0-9+/=]+',
  hash: '\\$[0-9a-z]+\\$[^\\s,]+',
  fingerprint: '(?:[0-9A-F]{2}:){31}[0-9A-F]{2}',
  any: '.*',
};
const PLACEHOLDER = new RegExp(`<(${Object.keys(KINDS).join('|')})(?::([A-Za-z0-9_.-]+))?>`, 'g');
const DISTINCT = ['uuid', 'mac', 'upid', 'digest'];

/** What each numbered placeholder stands for so far. */
export type Bindings = Map<string, string>;

/** Whether a received value is the recorded text, or what its placeholders allow; binds them. */
export function textMatches(expected: string, actual: unknown, bindings: Bindings): boolean {
  if (typeof actual === 'number') return /^<(num|time|pid)>$/.test(expected);
  if (typeof actual !== 'string') return false;
  if (expected === actual) return true;
  const set = /^<set:(.*)>$/.exec(expected);
  if (set) return sorted(set[1] ?? '') === sorted(actual);
  return patternMatches(expected, actual, bindings);
}

const sorted = (list: string): string => list.split(',').sort().join(',');
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

function patternMatches(expected: string, actual: string, bindings: Bindings): boolean {
  const names: string[] = [];
  let pattern = '';
  let position = 0;
  for (const match of expected.matchAll(PLACEHOLDER)) {
    pattern += escape(expected.slice(position, match.index));
    position = match.index + match[0].length;
    const [, kind = '', id] = match;
    pattern += id === undefined ? `(?:${KINDS[kind]})` : `(${KINDS[kind]})`;
    if (id !== undefined) names.push(`${kind}:${id}`);
  }
  if (position === 0) return false;
  const match = new RegExp(`^(?:${pattern}${escape(expected.slice(position))})$`, 's').exec(actual);
  if (!match) return false;
  return names.every((name, index) => bind(name, match[index + 1] ?? '', bindings));
}

/** Equal placeholders are equal values; different numbers of one kind are different values. */
function bind(name: string, value: string, bindings: Bindings): boolean {
  const known = bindings.get(name);
  if (known !== undefined) return known === value;
  const kind = name.split(':')[0] ?? '';
  if (DISTINCT.includes(kind)) {
    for (const [other, bound] of bindings) if (other.startsWith(`${kind}:`) && bound === value) return false;
  }
  bindings.set(name, value);
  return true;
}
