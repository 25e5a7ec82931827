import type { ClusterStatus } from '../../spec';
import type { ClusterAccess } from '../config/cluster-access';
import type { Environment } from '../config/variables';
import { clusterStatus } from '../outputs/cluster';
import { ClusterReading } from '../run/cluster-reading';
import { dueIn, type Round } from './round';
import { Run, type Shared } from '../run/run';
import { Attempts, type Around } from './attempts';
import { backoffMs, kindOf, LONGEST_MS } from './backoff';
import { Pause } from './pause';
import { Connection } from './connection';
import { failureLine } from './event-lines';
import { ClusterProbe, troubleText } from './cluster-probe';
import { Records } from './records';
import { NodesOnline } from './nodes-online';
import type { Orphan } from '../run/reads/orphans';
import type { SourcedState } from '../run/wanted';
import { Pruning } from './pruning';
import { Removals } from './removals';
import { whichProxmox, type WhichProxmox } from '../run/which-proxmox';

/** Rounds for what failed are no nearer than this. */
const NEAREST_MS = 1_000;

/** Keeps the machines of one cluster as they are wanted, until its signal is aborted. */
export class ClusterLoop {
  readonly records = new Records((owner, id) => this.attempts.isAtWorkOn(owner, id));
  orphans: Orphan[] = [];
  status: ClusterStatus | undefined;
  /** Why the cluster is out of reach; undefined: it answers. */
  reason: string | undefined = 'it was not asked yet';

  private states: readonly SourcedState[] = [];
  private connection: Connection;
  private readonly pause = new Pause();
  private readonly probe: ClusterProbe;
  private readonly attempts: Attempts;
  private readonly pruning: Pruning;
  private readonly removals: Removals;
  private readonly nodes: NodesOnline;
  private cause: string | undefined;
  private isReached = false;
  private isInRound = false;
  private failures = 0;
  private nextRoundAt = 0;
  /** After a round that failed there is none until then. */
  private notBefore = 0;

  constructor(
    readonly name: string,
    access: ClusterAccess,
    private readonly around: Around,
  ) {
    this.connection = this.connect(access);
    this.attempts = new Attempts(
      name,
      around,
      () => this.pause.end(),
      () => this.probe.look(),
    );
    this.pruning = new Pruning(name, around, this.attempts);
    this.removals = new Removals(name, around, this.attempts);
    this.nodes = new NodesOnline(name, around);
    const { intervalMs } = around.settings;
    const connection = (): Connection => this.connection;
    const changed = (trouble: unknown): void => this.heard(trouble);
    this.probe = new ClusterProbe({ intervalMs, signal: around.signal, connection, changed });
  }

  /** What is wanted from now on. */
  want(states: readonly SourcedState[], environment: Environment): void {
    this.states = states;
    this.attempts.environment = environment;
    this.pruning.want(states);
    const removals = this.around.sources.requester?.removals(this.name) ?? [];
    const toGo = removals.map(({ owner, ids, proxmox, retains }) => ({ owner, ids, proxmox, retains }));
    if (this.records.want(states, { environment, toGo })) this.soon();
    this.pause.end();
  }

  /** The way to the cluster as the configuration says it now. What is under way ends with the way it began with. */
  reach(access: ClusterAccess): void {
    if (this.connection.isSame(access)) return;
    const old = this.connection;
    this.connection = this.connect(access);
    this.around.log({ level: 'info', message: 'New credentials', fields: { cluster: this.name } });
    void this.attempts.ended().then(() => old.close());
    this.probe.look();
    this.soon();
  }

  private connect(access: ClusterAccess): Connection {
    const { metrics, log, signal, lease } = this.around;
    const connection = new Connection(access, {
      answered: metrics.answered,
      beforeWrite: lease?.beforeWrite,
    });
    const fields = { cluster: this.name };
    connection.pve.tellWaits(message => log({ level: 'info', message, fields }), signal);
    return connection;
  }

  async run(): Promise<void> {
    const { signal } = this.around;
    const probing = this.probe.run();
    while (!signal.aborted) {
      if (this.isReached && this.isDue()) await this.round();
      await this.pause.wait(this.restMs(), signal);
    }
    await Promise.all([probing, this.attempts.ended()]);
    await this.connection.close();
  }

  readonly hold = (isOnHold: boolean): void => {
    this.attempts.isOnHold = isOnHold;
    this.nextRoundAt = 0;
    this.pause.end();
  };

  readonly isIdle = (): boolean => !this.isInRound && this.attempts.isIdle;

  private soon(): void {
    this.records.tryAgain();
    this.notBefore = 0;
    this.nextRoundAt = 0;
    this.pause.end();
  }

  private heard(trouble: unknown): void {
    this.isReached = trouble === undefined;
    if (this.isReached) {
      this.reason = undefined;
      this.around.log({ level: 'info', message: 'Reached the cluster', fields: { cluster: this.name } });
      return this.soon();
    }
    this.lost(trouble);
  }

  private lost(trouble: unknown): void {
    const { log, metrics } = this.around;
    const { level, message, fields } = failureLine(trouble);
    metrics.failed('cluster', trouble);
    const text = troubleText(trouble);
    // a refused login is one thing, whichever request it met
    const cause = kindOf(trouble) === 'unauthenticated' ? 'unauthenticated' : text;
    const isKnown = this.reason !== undefined && cause === this.cause;
    [this.reason, this.cause] = [text, cause];
    this.around.sources.requester?.clusterStands(this.name, this.status, text);
    if (cause === 'unauthenticated') this.around.sources.requester?.refusesLogin(this.name);
    if (isKnown) return;
    const said = message === 'Failed' ? 'Lost the cluster' : message;
    const error = said === message ? {} : { error: text };
    log({ level, message: said, fields: { cluster: this.name, ...fields, ...error } });
  }

  private isDue(): boolean {
    const now = Date.now();
    return (
      !this.attempts.isOnHold &&
      now >= this.notBefore &&
      (now >= this.nextRoundAt || this.records.isAnyDue(now))
    );
  }

  private restMs(): number {
    const { intervalMs } = this.around.settings;
    const now = Date.now();
    if (!this.isReached) return intervalMs;
    const next = Math.max(this.notBefore, Math.min(this.nextRoundAt, this.records.retryAt));
    return Math.max(Math.min(NEAREST_MS, intervalMs), next - now);
  }

  /** Reads the cluster once, and begins on each machine that is to be looked at. */
  private async round(): Promise<void> {
    const { settings, metrics } = this.around;
    const now = Date.now();
    const isFull = now >= this.nextRoundAt;
    const started = performance.now();
    const { connection } = this;
    const shared = connection.sharedOfRound();
    const reading = new ClusterReading(connection.pve, shared.reads);
    this.isInRound = true;
    try {
      await reading.refresh();
      const proxmox = await this.whichOne(shared, reading);
      // the listing that the reading was made of
      const resources = await shared.reads.resources.since(started);
      this.read(reading, clusterStatus(reading.cluster, resources, { usage: true }));
      if (isFull) this.nextRoundAt = now + settings.intervalMs;
      await this.begin(connection, { shared, reading, isFull, proxmox });
      if (isFull) await this.lookBeyond(shared, reading, proxmox);
      metrics.took('cluster', started);
    } catch (error) {
      if (this.around.signal.aborted) return;
      this.failures += 1;
      this.lost(error);
      const longest = backoffMs(error, 1) === LONGEST_MS ? LONGEST_MS : settings.intervalMs;
      this.notBefore = Date.now() + Math.min(longest, backoffMs(error, this.failures));
      this.nextRoundAt = this.notBefore;
      this.probe.look();
    } finally {
      this.isInRound = false;
    }
  }

  /** Which Proxmox this is, where whoever says what is wanted asks for that. */
  private async whichOne(shared: Shared, reading: ClusterReading): Promise<WhichProxmox | undefined> {
    const { requester } = this.around.sources;
    if (requester === undefined) return undefined;
    const proxmox = await whichProxmox(shared, reading.cluster.nodes);
    requester.answers(shared.clusterSpec, proxmox);
    return proxmox;
  }

  /** At what leaves, and at what nobody asks for. */
  private async lookBeyond(shared: Shared, reading: ClusterReading, proxmox?: WhichProxmox): Promise<void> {
    const also = this.around.sources.requester?.alsoAsked(this.name) ?? [];
    await this.removals.begin(shared, reading.cluster.nodes, proxmox);
    this.orphans = await this.pruning.look(shared, reading, [...this.states, ...also]);
  }

  private read(reading: ClusterReading, status: ClusterStatus): void {
    this.failures = 0;
    if (this.isReached) this.reason = undefined;
    this.status = { ...status, lastHealthCheck: new Date().toISOString() };
    this.around.sources.requester?.clusterStands(this.name, this.status, this.reason);
    // what failed for want of a node may go well now
    if (this.nodes.take(reading.cluster.nodes)) this.records.tryAgain();
  }

  private async begin(connection: Connection, round: Round): Promise<void> {
    const { shared, reading } = round;
    for (const state of this.states) {
      const { owner, machines, nodes } = state;
      const due = dueIn(state, this.records, round);
      if (due.length === 0) continue;
      const run = new Run(shared, {
        report: this.attempts.reportFor(owner),
        signal: this.around.signal,
        fleet: { owner, machines, nodes },
        preferredNodes: connection.access.preferredNodes,
        reading,
      });
      // those that failed last come last
      due.sort((one, other) => Number(one.hasFailed) - Number(other.hasFailed));
      const isCurrent = (): boolean => connection === this.connection;
      await this.attempts.begin(due, { state, run, isCurrent });
    }
  }
}
