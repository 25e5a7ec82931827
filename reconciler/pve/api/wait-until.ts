import { pause, pauseAfter, type Pauses } from '../http/pauses';

export interface Wait {
  pauses: Pauses;
  /** The moment, as of `performance.now`, after which nothing is waited for any more. */
  until: number;
  signal?: AbortSignal | undefined;
  /** Told before each pause how long it has been waited. A promise delays the next look. */
  pausing?: (elapsedMs: number) => Promise<void> | void;
}

/** Looks again and again until there is something to see. Undefined: the time is up. Fails as a look fails. */
export async function waitUntil<T>(
  look: () => Promise<T | undefined>,
  { pauses, until, signal, pausing }: Wait,
): Promise<T | undefined> {
  const started = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const seen = await look();
    if (seen !== undefined) return seen;
    const now = performance.now();
    if (now >= until) return undefined;
    await pausing?.(now - started);
    await pause(Math.min(pauseAfter(now - started, pauses), until - now), signal);
  }
}
