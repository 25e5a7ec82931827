/** One request that was answered, or broken off. */
export interface LedgerEntry {
  n: number;
  /** Simulated time, milliseconds since the epoch. */
  at: number;
  method: string;
  path: string;
  /** The path of the schema that it met; absent where there is none. */
  route?: string;
  user?: string;
  /** 0 when the connection was broken off instead of an answer. */
  status: number;
  reason: string;
  /** Real milliseconds. */
  ms: number;
  bytesIn: number;
  bytesOut: number;
  write: boolean;
  /** Numbers of the faults that met it. */
  faults?: number[];
}

interface Count {
  requests: number;
  writes: number;
  failures: number;
  ms: number;
}

/** How many entries are kept; the counts go on. */
const KEPT = 20_000;

/** What was asked of the cluster: the latest requests, and counts by route since the last reset. */
export class Ledger {
  private recent: LedgerEntry[] = [];
  private counts = new Map<string, Count>();
  private nextNumber = 1;
  /** Called after each entry. */
  onRecord: () => void = () => undefined;

  record(entry: Omit<LedgerEntry, 'n'>): void {
    this.recent.push({ n: this.nextNumber, ...entry });
    this.nextNumber += 1;
    if (this.recent.length > KEPT * 2) this.recent = this.recent.slice(-KEPT);
    this.count(`${entry.method} ${entry.route ?? '(no such route)'}`, entry);
    this.onRecord();
  }

  /** The latest entries, oldest first. */
  entries(): LedgerEntry[] {
    return this.recent.slice(-KEPT);
  }

  /** So many of the latest entries, oldest first. */
  latest(count: number): LedgerEntry[] {
    return count > 0 ? this.recent.slice(-count) : [];
  }

  /** The number of the last entry; 0 when there is none. */
  lastNumber(): number {
    return this.nextNumber - 1;
  }

  /** Since the last reset, by `METHOD /path/{of}/schema`. */
  byRoute(): Record<string, Count> {
    return Object.fromEntries([...this.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Since the last reset, over all routes. */
  total(): Count {
    const total: Count = { requests: 0, writes: 0, failures: 0, ms: 0 };
    for (const { requests, writes, failures, ms } of this.counts.values()) {
      total.requests += requests;
      total.writes += writes;
      total.failures += failures;
      total.ms += ms;
    }
    return total;
  }

  reset(): void {
    this.recent = [];
    this.counts = new Map();
    this.nextNumber = 1;
  }

  private count(route: string, { write, status, ms }: Omit<LedgerEntry, 'n'>): void {
    const count = this.counts.get(route) ?? { requests: 0, writes: 0, failures: 0, ms: 0 };
    count.requests += 1;
    if (write) count.writes += 1;
    if (status === 0 || status >= 400) count.failures += 1;
    count.ms += ms;
    this.counts.set(route, count);
  }
}
