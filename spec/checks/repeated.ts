import { formatPath } from '../reading/path';
import type { Finding } from '../reading/problem';

/** A finding for each entry of a list whose field has the value of an earlier entry. */
export function* repeated<E, F extends keyof E & string>(
  entries: readonly E[],
  list: string,
  field: F,
  why: string,
): Iterable<Finding> {
  const seen = new Map<unknown, number>();
  for (const [i, entry] of entries.entries()) {
    const value = entry[field];
    if (value === undefined) continue;
    const first = seen.get(value);
    if (first === undefined) {
      seen.set(value, i);
      continue;
    }
    const other = formatPath([list, first], { [list]: entries });
    const reason = `is used twice, also by ${other}: ${why}`;
    yield { path: [list, i, field], reason, remedy: 'Change one of the two.' };
  }
}
