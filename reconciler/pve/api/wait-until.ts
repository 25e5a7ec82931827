import { setTimeout as sleep } from 'node:timers/promises';

/** How long the pauses between two looks are: a share of the time waited so far, between two bounds. */
export interface Rhythm {
  floorMs: number;
  ceilingMs: number;
  share: number;
  /** By how much of itself a pause may be shorter or longer, so that many that wait do not come at once. */
  jitter: number;
}

type Poll = Pick<Rhythm, 'floorMs' | 'ceilingMs'>;

/** For what we began ourselves: its end is near. */
export function eager(poll: Poll): Rhythm {
  return { ...poll, share: 0.1, jitter: 0 };
}

/** For what follows in its own time, some seconds later. */
export function steady({ ceilingMs }: Poll): Rhythm {
  return { floorMs: ceilingMs, ceilingMs, share: 0, jitter: 0 };
}

/** For what somebody else holds: nobody knows when it ends, and each look costs the cluster something. */
export function patient({ floorMs, ceilingMs }: Poll): Rhythm {
  return { floorMs: 8 * floorMs, ceilingMs: 5 * ceilingMs, share: 0.5, jitter: 0.25 };
}

/** The pause that follows after so much waiting. */
export function pauseAfter(
  elapsedMs: number,
  { floorMs, ceilingMs, share, jitter }: Rhythm,
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

export interface Wait {
  rhythm: Rhythm;
  /** The moment, as of `Date.now`, after which nothing is waited for any more. */
  until: number;
  signal?: AbortSignal | undefined;
  /** Told before each pause how long it has been waited. */
  pausing?: (elapsedMs: number) => Promise<void> | void;
}

/** Looks again and again until there is something to see. Undefined: the time is up. Fails as a look fails. */
export async function waitUntil<T>(
  look: () => Promise<T | undefined>,
  { rhythm, until, signal, pausing }: Wait,
): Promise<T | undefined> {
  const started = Date.now();
  for (;;) {
    signal?.throwIfAborted();
    const seen = await look();
    if (seen !== undefined) return seen;
    const now = Date.now();
    if (now >= until) return undefined;
    await pausing?.(now - started);
    await pause(Math.min(pauseAfter(now - started, rhythm), until - now), signal);
  }
}
