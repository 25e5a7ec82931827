/** So many tasks of a kind are remembered. */
const REMEMBERED = 4;
/** And so many kinds: a server that counts its tasks in their kind has one for each. */
const KINDS = 100;
/** A task that ends earlier than any before is seen so much late at most. */
const MOST_MS = 1_000;

/** How long tasks of each kind have taken of late: there is no use in asking one earlier. */
export class UsualTimes {
  private readonly lately = new Map<string, number[]>();

  /** How long the shortest has taken of late. Undefined: none has ended yet. */
  shortest(kind: string): number | undefined {
    const times = this.lately.get(kind);
    return times && Math.min(MOST_MS, ...times);
  }

  /** To be told of each end: when it was last seen to run, and when it was seen to have ended, counted from its start. */
  ended(kind: string, { ranMs, endedMs }: { ranMs: number; endedMs: number }): void {
    // one that had ended at the first look may have ended somewhat earlier: the next one is looked at sooner
    const atLeast = ranMs === 0 ? 0.94 * endedMs : ranMs;
    if (this.lately.size >= KINDS && !this.lately.has(kind)) this.lately.clear();
    const times = [...(this.lately.get(kind) ?? []), (atLeast + endedMs) / 2];
    this.lately.set(kind, times.slice(-REMEMBERED));
  }
}
