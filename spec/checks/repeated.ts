import type { Finding } from '../problem';

/** A finding for each entry of a list whose field has the value of an earlier entry. */
export function* repeated<E, F extends keyof E & string>(
  entries: readonly E[],
  list: string,
  field: F,
  why: string,
): Iterable<Finding> {
  const seen = new Set<unknown>();
  for (const [i, entry] of entries.entries()) {
    const value = entry[field];
    if (value === undefined) continue;
    if (seen.has(value)) {
      yield { path: [list, i, field], reason: `is used twice: ${why}`, remedy: `Change one of the two.` };
    }
    seen.add(value);
  }
}
