import type * as z from 'zod';
import { unknownPaths, withoutNulls } from './unknown';
import { findingsOf, outside } from './findings';
import { touches, type Path } from './path';
import { halfCharacters } from './half-characters';
import { problemOf, type Finding, type Problem } from './problem';
import { salvage, type Salvaged } from './salvage';

/**
 * What parsing gives. `deferred` means that nothing is wrong, but some values are not known before apply:
 * `value` then has them where they stood, the rest parsed, and `problems` names each.
 */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly deferred: true; readonly value: unknown; readonly problems: Problem[] }
  | { readonly ok: false; readonly deferred: false; readonly problems: Problem[] };

/** How a document is read. */
export interface Reading<T extends P, P> {
  readonly schema: z.ZodType<T>;
  /** The same schema, or one that asks for less: what the checks still run on when something is wrong. */
  readonly partial: z.ZodType<P>;
  /** What holds between fields. */
  readonly checks: (value: P) => Iterable<Finding>;
  /** Where the document would stand in a larger one: paths are told from there. */
  readonly at?: Path;
}

/** Parses a document and runs the checks between its fields. All problems come at once; none hides another. */
export function parseWith<T extends P, P>(
  { schema, partial, checks, at = [] }: Reading<T, P>,
  json: unknown,
): Parsed<T> {
  const document = withoutNulls(json);
  const halves = halfCharacters(document);
  const root = rootOf(document, at);
  const told = (finding: Finding) => problemOf({ ...finding, path: [...at, ...finding.path] }, root);
  if (halves.length > 0) return { ok: false, deferred: false, problems: halves.map(told) };
  const parsed = schema.safeParse(document);
  if (parsed.success) {
    const findings = [...checks(parsed.data)];
    if (findings.length === 0) return { ok: true, value: parsed.data };
    return { ok: false, deferred: false, problems: findings.map(told) };
  }
  const unknown = unknownPaths(document);
  const places = unknown.map(({ path }) => path);
  const wrong = outside(places, findingsOf(parsed.error.issues, schema, document));
  const bad = [...places, ...wrong.map(({ path }) => path)];
  const rest = salvage(partial, document, bad);
  const problems = [...wrong, ...(rest === undefined ? [] : besides(rest, checks(rest.value)))].map(told);
  const waiting = unknown.map(({ path, expression }) => told(notKnown(path, expression)));
  if (problems.length > 0) return { ok: false, deferred: false, problems: [...problems, ...waiting] };
  return {
    ok: false,
    deferred: true,
    value: rest === undefined ? document : rest.whole(),
    problems: waiting,
  };
}

function rootOf(document: unknown, at: Path): unknown {
  return at.reduceRight(
    (inner, key) => (typeof key === 'number' ? [inner] : { [String(key)]: inner }),
    document,
  );
}

function notKnown(path: Path, expression: string): Finding {
  return {
    path,
    kind: 'unknown-value',
    reason: 'is unknown until apply',
    remedy: `Terraform gives it when it applies: ${expression}.`,
  };
}

/** The findings that are not about a place where something was taken out, for those would be its echo. */
function besides({ removed, original }: Salvaged<unknown>, findings: Iterable<Finding>): Finding[] {
  return [...findings]
    .map(finding => ({ ...finding, path: original(finding.path) }))
    .filter(({ path }) => !removed.some(gone => touches(path, gone)));
}
