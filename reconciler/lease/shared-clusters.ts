import { Pause } from '../daemon/pause';
import type { BeginCluster, Elsewhere, Sharing } from '../daemon/sharing';
import { messageOf } from '../errors';
import type { LogEntry } from '../report/log-line';
import type { ClusterLocks, Seen } from './postgres-cluster-locks';
import { surplus, toTake } from './fair-share';
import { GivingBack } from './giving-back';
import { Holding } from './holding';
import { POSTGRES_TIMES } from './postgres-session';
import { now, type Moment } from './tenure';

const { renewMs } = POSTGRES_TIMES;
/** For the time after an interrupt: then the locks are renewed until the work has ended. */
const NEVER = new AbortController().signal;

/** Shares the clusters of the desired state with other hosts, by locks of PostgreSQL. Each is held, lost and taken by itself. */
export class SharedClusters implements Sharing {
  readonly title: string;
  private named: readonly string[] = [];
  private readonly holdings = new Map<string, Holding>();
  /** What another host keeps, and since when we have seen it so. */
  private readonly others = new Map<string, { keptBy: string; since: string }>();
  private readonly freeSince = new Map<string, number>();
  private readonly givingBack: GivingBack;
  private readonly pause = new Pause();
  private why = 'the lease was not asked yet';

  constructor(
    private readonly locks: ClusterLocks,
    private readonly log: (line: LogEntry) => void,
  ) {
    this.title = locks.title;
    this.givingBack = new GivingBack((level, message, fields) => this.tell(level, message, fields));
  }

  readonly want = (clusters: readonly string[]): void => {
    this.named = clusters;
    this.pause.end();
  };

  readonly elsewhere = (cluster: string): Elsewhere =>
    this.others.get(cluster) ?? {
      reason: this.holdings.has(cluster) ? 'this host takes it over, or has just lost it' : this.why,
    };

  readonly run = async (begin: BeginCluster, signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', this.pause.end, { once: true });
    // after an interrupt the locks are held until nothing is under way any more
    while (!signal.aborted || this.holdings.size > 0) {
      await this.look(begin, signal);
      await this.pause.wait(renewMs, NEVER);
    }
    await this.locks.end();
  };

  private async look(begin: BeginCluster, signal: AbortSignal): Promise<void> {
    const sentAt = now();
    try {
      // who ends names nothing any more: nobody leaves a cluster to us
      const seen = await this.locks.look(signal.aborted ? [] : this.named);
      if (typeof seen === 'string') return this.blocked(seen);
      if (signal.aborted) for (const holding of this.holdings.values()) holding.endUnlessBegun();
      this.renew(seen, sentAt, begin);
      await this.letGo(seen);
      this.note(seen);
      if (!signal.aborted) await this.share(seen);
    } catch (error) {
      this.lost(messageOf(error));
    }
  }

  /** Another process has all clusters as one, as with --kubernetes. */
  private blocked(holder: string): void {
    this.lost(`${holder} holds all of ${this.title}`);
  }

  private lost(why: string): void {
    for (const holding of this.holdings.values()) holding.lose(why);
    this.others.clear();
    this.freeSince.clear();
    if (this.why !== why) this.tell('warn', 'The lease cannot be taken', { error: why });
    this.why = why;
  }

  private renew(seen: Seen, sentAt: Moment, begin: BeginCluster): void {
    for (const [cluster, holding] of this.holdings) {
      if (seen.keeperOf(cluster)?.isUs !== true) holding.lose('another host may hold it');
      else if (holding.renewed(sentAt)) {
        this.tell('info', 'Holds the lease', { cluster });
        void holding.work(begin);
      }
    }
  }

  /** What was lost by our own clock is still locked where the session lives: another host need not wait for the end of our work. */
  private async letGo(seen: Seen): Promise<void> {
    for (const [cluster, { isLost }] of this.holdings)
      if (isLost && seen.keeperOf(cluster)?.isUs) await this.locks.giveBack(cluster);
  }

  /** Who keeps what we do not. */
  private note(seen: Seen): void {
    this.why = 'no host keeps it yet';
    for (const cluster of this.named) {
      const keeper = seen.keeperOf(cluster);
      if (keeper !== undefined) this.freeSince.delete(cluster);
      else if (!this.freeSince.has(cluster)) this.freeSince.set(cluster, performance.now());
      if (keeper === undefined || keeper.isUs) {
        this.others.delete(cluster);
        continue;
      }
      if (this.others.get(cluster)?.keptBy === keeper.text) continue;
      this.others.set(cluster, { keptBy: keeper.text, since: new Date().toISOString() });
      this.tell('info', 'Stands by', { cluster, holder: keeper.text });
    }
  }

  private async share(seen: Seen): Promise<void> {
    const { named, holdings, freeSince } = this;
    const free = named.filter(cluster => seen.keeperOf(cluster)?.isUs !== false && !holdings.has(cluster));
    if (free.length > 0) {
      const freeForMs = (cluster: string): number =>
        performance.now() - (freeSince.get(cluster) ?? performance.now());
      await this.take(toTake(seen, { named: named.length, free, freeForMs }));
    }
    const ours = [...holdings.values()];
    // whoever keeps too few takes the free ones first
    if (free.length > 0) return this.givingBack.look([]);
    // one after the other
    if (ours.some(({ isLeaving }) => isLeaving)) return;
    const names = surplus(
      seen,
      named.filter(cluster => holdings.has(cluster)),
    );
    this.givingBack.look(ours.filter(({ cluster }) => names.includes(cluster)));
  }

  private async take(clusters: readonly string[]): Promise<void> {
    if (clusters.length === 0) return;
    for (const cluster of await this.locks.take(clusters)) {
      const holding = new Holding(cluster, `${this.title}, of cluster ${cluster},`);
      this.holdings.set(cluster, holding);
      void holding.ended.then(why => this.over(cluster, why));
    }
  }

  private async over(cluster: string, why: string | undefined): Promise<void> {
    if (why !== undefined) this.tell('warn', 'Lost the lease', { cluster, error: why });
    // the session may live, and the lock with it, however it ended. Where this fails, both end
    await this.locks.giveBack(cluster).catch(() => undefined);
    this.holdings.delete(cluster);
    this.pause.end();
  }

  private tell(level: LogEntry['level'], message: string, fields: Record<string, string>): void {
    this.log({ level, message, fields: { lease: this.title, ...fields } });
  }
}
