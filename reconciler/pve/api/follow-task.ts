import type { Pve } from '../http/client';
import { percentOf, tellsPercent } from '../answers/task-percent';
import { readTaskLog } from './task-log';

/** A task that ends before needs no percent. */
const AFTER_MS = 2_000;
const EVERY_MS = 2_000;
const MOST_LINES = 1_000;

/**
 * What a wait for a task does between two looks to tell how much of it is done: reads what the log has more than before,
 * seldom, and only of tasks that tell it. It never fails: nothing is decided by it.
 */
export function follow(
  pve: Pve,
  upid: string,
  tell: (percent: number) => void,
): ((elapsedMs: number) => Promise<void>) | undefined {
  if (!tellsPercent(upid)) return undefined;
  let start = 0;
  let next = AFTER_MS;
  return async elapsedMs => {
    if (elapsedMs < next) return;
    next = elapsedMs + EVERY_MS;
    try {
      const lines = await readTaskLog(pve, upid, { start, limit: MOST_LINES });
      start += lines.length;
      const percent = percentOf(lines);
      if (percent !== undefined) tell(percent);
    } catch {
      // the look that follows tells what is wrong
    }
  };
}
