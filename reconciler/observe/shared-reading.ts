import { setTimeout } from 'node:timers/promises';

/** How old a reading may be that another run is served with. */
const RECENT_MS = 1_000;
/** How long a reading holds up the next one. Its answer may be lost: who asks now is not to wait until it is given up. */
const HOLDS_UP_MS = 2_000;

interface Timing {
  /** How long after the beginning of one reading `soon` begins the next one. */
  apartMs?: number;
  clock?: () => number;
  pause?: (ms: number) => Promise<unknown>;
  holdsUpMs?: number;
}

/** One thing that the runs of a process read of a cluster, and read together where they ask at the same time. */
export class SharedReading<T> {
  private last: { begunAt: number; value: Promise<T>; isAnswered: boolean } | undefined;
  private next: Promise<T> | undefined;

  private readonly timing: Required<Timing>;

  constructor(
    private readonly read: () => Promise<T>,
    timing: Timing = {},
  ) {
    const real = { clock: () => performance.now(), pause: (ms: number) => setTimeout(ms) };
    this.timing = { apartMs: 0, holdsUpMs: HOLDS_UP_MS, ...real, ...timing };
  }

  /** A reading that begins after this call. Whoever asks while one is under way shares the next one. */
  now(): Promise<T> {
    this.next ??= settled(this.last?.value, this.timing.holdsUpMs).then(() => {
      this.next = undefined;
      return this.begin();
    });
    return this.next;
  }

  /**
   * The same, for who can wait a moment: it begins some time after the last one, and more of those who ask share it.
   * An interrupt ends the wait of its own run and no other's.
   */
  soon(interrupt?: AbortSignal): Promise<T> {
    const reading = this.somewhatLater();
    return interrupt === undefined ? reading : orInterrupt(reading, interrupt);
  }

  private async somewhatLater(): Promise<T> {
    const { last, timing } = this;
    const asked = timing.clock();
    const early = last === undefined ? 0 : last.begunAt + timing.apartMs - asked;
    if (early > 0) await timing.pause(early);
    return this.since(asked);
  }

  /** A reading that began a second ago at most, or so long: to find things with, never to decide a write. */
  recent(mostMs = RECENT_MS): Promise<T> {
    return this.since(this.timing.clock() - mostMs);
  }

  /** A reading that began at this time of `performance.now()` or later: the last one where it did. */
  since(time: number): Promise<T> {
    return this.lastSince(time) ?? this.now();
  }

  /** The last reading, where it began at this time or later and its answer is not overdue. Reads nothing. */
  lastSince(time: number): Promise<T> | undefined {
    const { last, timing } = this;
    if (last === undefined || last.begunAt < time) return undefined;
    const isOverdue = !last.isAnswered && timing.clock() - last.begunAt > timing.holdsUpMs;
    return isOverdue ? undefined : last.value;
  }

  private begin(): Promise<T> {
    const begun = { begunAt: this.timing.clock(), value: this.read(), isAnswered: false };
    this.last = begun;
    // nobody is served with a failure of somebody else's
    begun.value.then(
      () => (begun.isAnswered = true),
      () => {
        if (this.last === begun) this.last = undefined;
      },
    );
    return begun.value;
  }
}

/** Waits until it has ended, well or not, but not longer than so. */
async function settled(reading: Promise<unknown> | undefined, mostMs: number): Promise<void> {
  const ended = new AbortController();
  const time = setTimeout(mostMs, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled([reading]), time]);
  ended.abort();
}

async function orInterrupt<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  const ended = { signal: over.signal };
  const interrupted = new Promise<void>(resolve => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), ended);
  });
  try {
    await Promise.race([shared, interrupted]);
    signal.throwIfAborted();
    return await shared;
  } finally {
    over.abort();
  }
}
