/** The simulator's only source of time. Nothing else may read the wall clock or sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves when that much simulated time has passed. Rejects never; `close` abandons all sleepers. */
  sleep(ms: number): Promise<void>;
  /** Moves a held clock on, waking sleepers in order. Fails on a clock that runs by itself. */
  advance(ms: number): Promise<void>;
  close(): void;
}

/** A clock that runs by itself, `scale` times as fast as the wall. */
export function runningClock(scale: number): Clock {
  const started = Date.now();
  const timers = new Set<NodeJS.Timeout>();
  return {
    now: () => Math.floor(started + (Date.now() - started) * scale),
    sleep: ms =>
      new Promise(resolve => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, ms / scale);
        timers.add(timer);
      }),
    advance: () =>
      Promise.reject(new Error('the clock runs by itself: start the simulator with a held clock')),
    close: () => timers.forEach(timer => clearTimeout(timer)),
  };
}

/** A clock that stands still until `advance`. */
export function heldClock(start: number): Clock {
  let now = start;
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: ms => (ms <= 0 ? Promise.resolve() : new Promise(wake => sleepers.push({ at: now + ms, wake }))),
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
