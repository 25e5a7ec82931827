import type * as z from 'zod';
import { closest } from './closest';
import { isRecord, isWithin, valueAt, type Path } from './path';
import type { Finding } from './problem';
import { fieldsAt } from './schema-walk';
import { remedyForUnknown, switchMeant, wordMeant } from './synonyms';
import { wantsOf } from '../fields/wants';

type Issue = z.core.$ZodIssue;

/** More fields than these are no help when the one that was meant is known. */
const FEW = 24;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What zod's issues mean for whoever wrote the document. */
export function findingsOf(issues: readonly Issue[], schema: z.core.$ZodType, root: unknown): Finding[] {
  return issues.flatMap(issue => {
    if (isRepeated(issue, issues)) return [];
    if (issue.code === 'invalid_union') return unionFindings(issue, schema, root);
    if (issue.code === 'unrecognized_keys') return unknownFields(issue, schema, root);
    if (issue.code === 'invalid_key') {
      const inner = issue.issues[0];
      const key = issue.path.at(-1);
      const about = { ...issue, message: inner?.message ?? issue.message };
      return [{ ...findingOf(about, key, inner && wantsOf(inner)), given: key }];
    }
    const value = valueAt(root, issue.path);
    return [findingOf(issue, value, wantsOf(issue), inOtherShape(issue, value, schema))];
  });
}

/** The remedy where a value has another shape than the list or the object that belongs there. */
function inOtherShape(issue: Issue, value: unknown, schema: z.core.$ZodType): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'array') return asEntry(value, fieldsAt(schema, [...issue.path, 0]));
  if (issue.expected !== 'object' || issue.path.length === 0) return undefined;
  const [first, second] = fieldsAt(schema, issue.path).map(shown);
  return second && `Write an object, with fields such as ${first} and ${second}.`;
}

/** The remedy where a mapping of names stands in the place of a list, whose entries have their name in a field. */
function asEntry(value: unknown, fields: readonly string[]): string | undefined {
  const [[name, inner] = []] = isRecord(value) ? Object.entries(value) : [];
  const naming = ['id', 'name', 'nodeName'].find(field => fields.includes(field));
  if (name === undefined || naming === undefined || fields.includes(name)) return undefined;
  if (!isRecord(inner)) return undefined;
  return `Write a list, in which each entry has its ${naming} as a field: "- ${naming}: ${name}".`;
}

/** Whether an issue only repeats a closer one: beyond what is exact zod tells its own bound beside ours. */
function isRepeated(issue: Issue, all: readonly Issue[]): boolean {
  const isOutermost =
    (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
    (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER);
  return isOutermost && all.some(other => other !== issue && `${other.path}` === `${issue.path}`);
}

/** The findings of the branch that was meant: the one whose outer shape fits. Without one, what the union allows. */
function unionFindings(
  issue: z.core.$ZodIssueInvalidUnion,
  schema: z.core.$ZodType,
  root: unknown,
): Finding[] {
  const within = (inner: Issue): Issue => ({ ...inner, path: [...issue.path, ...inner.path] });
  const meant = issue.errors.find(errors =>
    errors.every(
      inner => inner.path.length > 0 || inner.code === 'unrecognized_keys' || inner.code === 'custom',
    ),
  );
  if (meant !== undefined && meant.length > 0) return findingsOf(meant.map(within), schema, root);
  const value = valueAt(root, issue.path);
  const found = findingOf(issue, value, wantsOf(issue));
  const words = issue.errors
    .flat()
    .flatMap(inner => (inner.code === 'invalid_value' ? inner.values.map(String) : []));
  const near = typeof value === 'string' ? closest(value, words) : undefined;
  return [near === undefined ? found : { ...found, remedy: `Did you mean ${shown(near)}?` }];
}

function unknownFields(
  { path: holder, keys }: z.core.$ZodIssueUnrecognizedKeys,
  schema: z.core.$ZodType,
  root: unknown,
): Finding[] {
  const known = fieldsAt(schema, holder);
  // of two with one name the first is meant: ipv4 before ipv6
  const deeper = new Map(
    [...known]
      .reverse()
      .flatMap(field => fieldsAt(schema, [...holder, field]).map(inner => [inner, `${field}.${inner}`])),
  );
  return keys.map(key => {
    const near = closest(key, known) ?? deeper.get(closest(key, deeper.keys()) ?? '');
    const remedy =
      remedyForUnknown(key, known, valueAt(root, [...holder, key])) ??
      (near === undefined ? undefined : `Did you mean "${near}"?`);
    const allowed = known.length > FEW && remedy !== undefined ? undefined : known.join(', ');
    const path = [...holder, key];
    return {
      path,
      kind: 'unknown-field',
      reason: 'is no known field',
      allowed,
      remedy: remedy ?? 'Remove it.',
    };
  });
}

function findingOf(issue: Issue, value: unknown, wants: ReturnType<typeof wantsOf>, shape?: string): Finding {
  const allowed = wants?.allowed ?? allowedIn(issue);
  if (value === undefined) {
    return { path: issue.path, kind: 'missing', reason: 'is required', allowed, remedy: 'Add it.' };
  }
  const remedy =
    wants?.remedy ??
    shape ??
    switchFor(value, allowed) ??
    remedyFor(issue, value) ??
    'Use a value that is allowed.';
  return { path: issue.path, kind: 'invalid', reason: reasonOf(issue), allowed, remedy };
}

/** YAML 1.2 reads yes and no as text, and so it does with true in quotes. */
function switchFor(value: unknown, allowed: string): string | undefined {
  if (typeof value !== 'string' || !/^true, false|^true or false$/.test(allowed)) return undefined;
  if (/^(?:true|false)$/.test(value)) return `Remove the quotes: ${value}.`;
  const meant = switchMeant(value);
  return meant === undefined ? undefined : `Write ${meant}.`;
}

function reasonOf(issue: Issue): string {
  if (issue.code === 'too_small') return 'is too small';
  if (issue.code === 'too_big') return issue.origin === 'array' ? 'is too many' : 'is too large';
  return 'is not valid';
}

function allowedIn(issue: Issue): string {
  if (issue.code === 'invalid_value') return issue.values.map(shown).join(', ');
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? issue.expected;
  return issue.code === 'too_small' ? `at least ${issue.minimum}` : issue.message;
}

const shown = (value: unknown) => JSON.stringify(value);

function remedyFor(issue: Issue, value: unknown): string | undefined {
  if (issue.code === 'too_small') return `Raise it to ${issue.minimum} or more.`;
  if (issue.code === 'too_big') {
    return issue.origin === 'array' ? `Keep ${issue.maximum}.` : `Lower it to ${issue.maximum} or less.`;
  }
  const other = issue.code === 'invalid_value' ? wordMeant(value, issue.values) : undefined;
  if (other !== undefined) return `Write ${shown(other)}.`;
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const near = closest(value, issue.values.map(String));
    return near === undefined ? 'Use one of them.' : `Did you mean ${shown(near)}?`;
  }
  if (issue.code === 'invalid_value') {
    return issue.values.includes(String(value))
      ? `Put it in quotes: "${String(value)}".`
      : 'Use one of them.';
  }
  if (issue.code !== 'invalid_type') return undefined;
  const quoted = typeof value === 'string' && /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(value);
  if (quoted && /^(?:number|int|boolean)$/.test(issue.expected)) return `Remove the quotes: ${value}.`;
  if (issue.expected === 'array') return 'Put it into a list: [ … ].';
  // YAML reads 0x10de and 1.0 as numbers, and shows them as others than were written
  if (issue.expected === 'string' && /^(?:number|boolean)$/.test(typeof value)) return 'Put it in quotes.';
  return undefined;
}

/** The findings that do not lie at a value which is not known yet. */
export function outside(unknown: readonly Path[], findings: readonly Finding[]): Finding[] {
  return findings.filter(finding => !unknown.some(path => isWithin(finding.path, path)));
}
