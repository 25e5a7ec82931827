import { setTimeout as sleep } from 'node:timers/promises';

/** How long the pauses between two looks are: a share of the time waited so far, between two bounds. */
export interface Pauses {
  floorMs: number;
  ceilingMs: number;
  share: number;
  /** By how much of itself a pause may be shorter or longer, so that many that wait do not come at once. */
  jitter: number;
}

type Poll = Pick<Pauses, 'floorMs' | 'ceilingMs'>;

/**
 * For what we began ourselves: its end is near. After a first look, which comes at the floor, no pause is longer than
 * 0.14 s (by the usual floor of 50 ms) or a seventh of what it took so far: so much a wait is longer than its task.
 */
export function eager({ floorMs, ceilingMs }: Poll): Pauses {
  return { floorMs: Math.min(2.8 * floorMs, ceilingMs), ceilingMs, share: 0.14, jitter: 0 };
}

/** For what follows in its own time, some seconds later. */
export function steady({ ceilingMs }: Poll): Pauses {
  return { floorMs: ceilingMs, ceilingMs, share: 0, jitter: 0 };
}

/** For what somebody else holds: nobody knows when it ends, and each look costs the cluster something. */
export function patient({ floorMs, ceilingMs }: Poll): Pauses {
  return { floorMs: 8 * floorMs, ceilingMs: 5 * ceilingMs, share: 0.5, jitter: 0.25 };
}

/** For a request that brought no answer: the next try is near, and each pause is as long as all before it. */
export const REPEATING: Pauses = { floorMs: 80, ceilingMs: 2_000, share: 1, jitter: 0.5 };

/** The pause that follows after so much waiting. */
export function pauseAfter(
  elapsedMs: number,
  { floorMs, ceilingMs, share, jitter }: Pauses,
  random: () => number = Math.random,
): number {
  const pauseMs = Math.min(ceilingMs, Math.max(floorMs, elapsedMs * share));
  return pauseMs * (1 + jitter * (2 * random() - 1));
}

/** Pauses. An interrupt ends it at once, with the interrupt's own error. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
