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
  /** How many times as fast as the wall it runs; 0: it is held. */
  scale(): number;
  /** Lets it run so fast from now on; 0 holds it where it is. Who sleeps sleeps on. */
  run(scale: number): void;
  /** Called after each that it wakes. */
  onWake: () => void;
  close(): void;
}

/** The longest that a timer can wait; more would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A clock that runs by itself, `scale` times as fast as the wall. */
export function runningClock(scale: number): Clock {
  return new SimulatedClock(Date.now(), scale);
}

/** A clock that stands still until `advance`. */
export function heldClock(start: number): Clock {
  return new SimulatedClock(start, 0);
}

interface Sleeper {
  at: number;
  wake(): void;
  timer?: NodeJS.Timeout;
}

class SimulatedClock implements Clock {
  onWake: () => void = () => undefined;
  private readonly sleepers = new Set<Sleeper>();
  private wall = Date.now();

  constructor(
    /** The simulated time at the moment `wall`. */
    private base: number,
    private speed: number,
  ) {}

  now(): number {
    return Math.floor(this.exactly());
  }

  after(ms: number, then: () => void): () => void {
    const sleeper: Sleeper = { at: this.exactly() + ms, wake: then };
    this.sleepers.add(sleeper);
    if (this.speed > 0) this.arm(sleeper, ms);
    return () => {
      clearTimeout(sleeper.timer);
      this.sleepers.delete(sleeper);
    };
  }

  sleep(ms: number): Promise<void> {
    if (this.speed === 0 && ms <= 0) return Promise.resolve();
    return new Promise(resolve => this.after(ms, resolve));
  }

  async advance(ms: number): Promise<void> {
    if (this.speed > 0)
      throw new Error('the clock runs by itself: hold it first, or start the simulator with --time-scale 0');
    const until = this.base + ms;
    for (;;) {
      await settle();
      if (this.speed > 0) return;
      let next = Infinity;
      for (const { at } of this.sleepers) next = Math.min(next, at);
      if (next > until) break;
      this.base = Math.max(this.base, next);
      for (const sleeper of [...this.sleepers]) if (sleeper.at === next) this.rouse(sleeper);
    }
    this.base = until;
    await settle();
  }

  scale(): number {
    return this.speed;
  }

  run(scale: number): void {
    this.base = this.exactly();
    this.wall = Date.now();
    this.speed = scale;
    for (const sleeper of this.sleepers) {
      clearTimeout(sleeper.timer);
      if (scale > 0) this.arm(sleeper, sleeper.at - this.base);
    }
  }

  close(): void {
    for (const { timer } of this.sleepers) clearTimeout(timer);
    this.sleepers.clear();
  }

  private exactly(): number {
    return this.speed === 0 ? this.base : this.base + (Date.now() - this.wall) * this.speed;
  }

  private arm(sleeper: Sleeper, ms: number): void {
    sleeper.timer = setTimeout(() => this.rouse(sleeper), Math.min(ms / this.speed, LONGEST_MS));
  }

  private rouse(sleeper: Sleeper): void {
    // one that woke before may have called this one off
    if (!this.sleepers.delete(sleeper)) return;
    sleeper.wake();
    this.onWake();
  }
}

/** Lets everything that can run now run, so that new sleepers are known before time moves on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
}
