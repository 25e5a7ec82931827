import type * as z from 'zod';
import { withoutNulls } from './unknown';
import { isRecord, valueAt, type Path } from './path';

/** What is left of a document when the values that cannot be used are taken out. */
export interface Salvaged<T> {
  readonly value: T;
  /** Where something was taken out, in the document's own indices. */
  readonly removed: readonly Path[];
  /** A path into `value` as a path into the document: lists may have lost entries. */
  readonly original: (path: Path) => Path;
  /** The value with everything that was taken out back where it stood, as it was. */
  readonly whole: () => unknown;
}

/** For each list that lost entries, where the others stood in the document. */
type Origins = WeakMap<object, readonly number[]>;

/** Parses what can be parsed, so that checks between fields still run. Undefined when nothing is left. */
export function salvage<T>(
  schema: z.ZodType<T>,
  document: unknown,
  bad: readonly Path[],
): Salvaged<T> | undefined {
  const rest = withoutNulls(document);
  const origins: Origins = new WeakMap();
  const original = (path: Path) => originalOf(path, rest, origins);
  const removed: Path[] = [];
  let next = bad;
  while (next.length > 0 && next.every(path => path.length > 0)) {
    removed.push(...next.map(original));
    takeOut(rest, next, origins);
    const parsed = schema.safeParse(rest);
    if (parsed.success) {
      return {
        value: parsed.data,
        removed,
        original,
        whole: () => restore(parsed.data, rest, document, origins),
      };
    }
    // A value that is required and was taken out takes along what holds it.
    next = parsed.error.issues.map(({ path }) =>
      valueAt(rest, path) === undefined ? path.slice(0, -1) : path,
    );
  }
  return undefined;
}

function takeOut(rest: unknown, paths: readonly Path[], origins: Origins): void {
  const dropped = new Map<unknown[], Set<number>>();
  for (const path of paths) {
    const holder = valueAt(rest, path.slice(0, -1));
    const key = path.at(-1);
    if (isRecord(holder)) delete holder[String(key)];
    else if (Array.isArray(holder)) dropped.set(holder, (dropped.get(holder) ?? new Set()).add(Number(key)));
  }
  for (const [list, gone] of dropped) {
    const stood = origins.get(list) ?? [...list.keys()];
    origins.set(
      list,
      stood.filter((_, i) => !gone.has(i)),
    );
    list.splice(0, list.length, ...list.filter((_, i) => !gone.has(i)));
  }
}

function originalOf(path: Path, rest: unknown, origins: Origins): Path {
  return path.map((key, i) => {
    const holder = valueAt(rest, path.slice(0, i));
    return Array.isArray(holder) && typeof key === 'number' ? (origins.get(holder)?.[key] ?? key) : key;
  });
}

function restore(parsed: unknown, rest: unknown, document: unknown, origins: Origins): unknown {
  if (Array.isArray(parsed) && Array.isArray(rest) && Array.isArray(document)) {
    const stood = origins.get(rest) ?? [...rest.keys()];
    // A set may have become shorter: then nothing says which entry is which.
    if (parsed.length !== rest.length) return [...parsed, ...document.filter((_, i) => !stood.includes(i))];
    return document.map((entry: unknown, i) => {
      const k = stood.indexOf(i);
      return k === -1 ? entry : restore(parsed[k], rest[k], entry, origins);
    });
  }
  if (!isRecord(parsed) || !isRecord(rest) || !isRecord(document)) return parsed;
  const back = Object.entries(document).filter(([key]) => !Object.hasOwn(rest, key));
  const kept = Object.entries(parsed).map(([key, value]) => [
    key,
    restore(value, rest[key], document[key], origins),
  ]);
  return Object.fromEntries([...kept, ...back]);
}
