/** The simulator's only source of time. Nothing else may read the wall clock or sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `then` when that much simulated time has passed; the function it returns calls it off. */
  after(ms: number, then: () => void): () => void;
  /** Resolves when that much simulated time has passed. Rejects never; `close` abandons all sleepers. */
  sleep(ms: number): Promise<void>;
  /** Moves a held clock on, waking sleepers in order. Fails on a clock that runs by itself. */
  advance(ms: number): Promise<void>;
  close(): void;
}

/** The longest that a timer can wait; more would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A clock that runs by itself, `scale` times as fast as the wall. */
export function runningClock(scale: number): Clock {
  const started = Date.now();
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, then: () => void): (() => void) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        then();
      },
      Math.min(ms / scale, LONGEST_MS),
    );
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };
  return {
    now: () => Math.floor(started + (Date.now() - started) * scale),
    after,
    sleep: ms => new Promise(resolve => after(ms, resolve)),
    advance: () =>
      Promise.reject(new Error('the clock runs by itself: start the simulator with a held clock')),
    close: () => timers.forEach(timer => clearTimeout(timer)),
  };
}

/** A clock that stands still until `advance`. */
export function heldClock(start: number): Clock {
  let now = start;
  let sleepers: { at: number; wake: () => void }[] = [];
  const after = (ms: number, wake: () => void): (() => void) => {
    const sleeper = { at: now + ms, wake };
    sleepers.push(sleeper);
    return () => (sleepers = sleepers.filter(each => each !== sleeper));
  };
  return {
    now: () => now,
    after,
    sleep: ms => (ms <= 0 ? Promise.resolve() : new Promise(resolve => after(ms, resolve))),
    advance: async ms => {
      const until = now + ms;
      for (;;) {
        await settle();
        const next = sleepers.reduce((least, { at }) => Math.min(least, at), Infinity);
        if (next > until) break;
        now = next;
        const due = sleepers.filter(({ at }) => at === next);
        sleepers = sleepers.filter(({ at }) => at !== next);
        due.forEach(({ wake }) => wake());
      }
      now = until;
      await settle();
    },
    close: () => (sleepers = []),
  };
}

/** Lets everything that can run now run, so that new sleepers are known before time moves on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
}
