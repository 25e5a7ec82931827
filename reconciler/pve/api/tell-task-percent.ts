import type { Pve } from '../http/client';
import { percentOf, tellsPercent } from '../answers/task-percent';
import { readTaskLog } from './task-log';

/** A task that ends before needs no percent. */
const AFTER_MS = 2_000;
const EVERY_MS = 2_000;
const MOST_LINES = 1_000;
const ANSWER_MS = 2_000;

interface Following {
  /** To be called after each look, with how long it has been waited. It does not wait for the log. */
  looked: (elapsedMs: number) => void;
  /** Reads and tells nothing from here on. */
  end: () => void;
}

/**
 * Tells beside the wait for a task how much of it is done: reads what the log has more than before, seldom, and only of
 * tasks that tell it. It never fails: nothing is decided by it.
 */
export function follow(pve: Pve, upid: string, tell: (percent: number) => void): Following | undefined {
  if (!tellsPercent(upid)) return undefined;
  const ended = new AbortController();
  const how = { signal: ended.signal, timeoutMs: ANSWER_MS, once: true };
  let start = 0;
  let next = AFTER_MS;
  let isReading = false;
  const read = async (): Promise<void> => {
    isReading = true;
    try {
      const lines = await readTaskLog(pve, upid, { start, limit: MOST_LINES }, how);
      start += lines.length;
      const percent = percentOf(lines);
      if (percent !== undefined && !ended.signal.aborted) tell(percent);
    } catch {
      // the look that follows tells what is wrong
    }
    isReading = false;
  };
  return {
    looked: elapsedMs => {
      if (elapsedMs < next || isReading || ended.signal.aborted) return;
      next = elapsedMs + EVERY_MS;
      void read();
    },
    end: () => ended.abort(),
  };
}
