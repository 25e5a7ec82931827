import type { ClusterStatus } from '../../spec';
import type { ClusterAccess } from '../config/cluster-access';
import type { Environment } from '../config/cluster-variables';
import { clusterStatus } from '../outputs/cluster';
import { ClusterReading } from '../run/cluster-reading';
import { Attempts, type DaemonShared } from './attempts';
import { backoffMs, kindOf, LONGEST_MS } from './backoff';
import type { Namesakes } from '../run/reads/namesakes';
import { Pause } from './pause';
import { Connection } from './connection';
import { failureLine } from './event-lines';
import { ClusterProbe, troubleText } from './cluster-probe';
import { Records } from './records';
import { NodesOnline } from './nodes-online';
import { turnsIn, whichOne, type Round } from './round';
import type { Orphan } from '../run/reads/orphans';
import { BeyondMachines } from './beyond-machines';
import type { SourcedState } from '../run/wanted';

/** Rounds for what failed are no nearer than this. */
const NEAREST_MS = 1_000;

/** Keeps the machines of one cluster as they are wanted, until its signal is aborted. */
export class ClusterLoop {
  readonly records = new Records((owner, id) => this.attempts.isAtWorkOn(owner, id));
  status: ClusterStatus | undefined;
  /** Why the cluster is out of reach; undefined: it answers. */
  reason: string | undefined = 'it was not asked yet';

  private states: readonly SourcedState[] = [];
  private connection: Connection;
  private readonly pause = new Pause();
  private readonly probe: ClusterProbe;
  private readonly attempts: Attempts;
  private readonly beyond: BeyondMachines;
  private readonly nodes: NodesOnline;
  private cause: string | undefined;
  private isReached = false;
  private isInRound = false;
  private failures = 0;
  /** When the next round of all is due, by `performance.now`. While one is under way that nobody wants anew: never. */
  private nextRoundAt = 0;
  /** When the round of all began that is under way: its machines have their turns beside rounds of some. */
  private began: number | undefined;
  /** After a round that failed there is none until then. */
  private notBefore = 0;

  constructor(
    readonly name: string,
    access: ClusterAccess,
    private readonly around: DaemonShared,
  ) {
    this.connection = this.connect(access);
    this.attempts = new Attempts(name, around, {
      again: key => this.again(key),
      refused: () => this.probe.look(),
      emptied: () => this.emptied(),
    });
    this.beyond = new BeyondMachines(name, around, this.attempts, error => this.failed(error));
    this.nodes = new NodesOnline(name, around);
    const { intervalMs } = around.settings;
    const connection = (): Connection => this.connection;
    const changed = (trouble: unknown): void => this.heard(trouble);
    this.probe = new ClusterProbe({ intervalMs, signal: around.signal, connection, changed });
  }

  get orphans(): readonly Orphan[] {
    return this.beyond.orphans;
  }

  /** What is wanted from now on; `namesakes`: on all clusters. */
  want(states: readonly SourcedState[], environment: Environment, namesakes: Namesakes): void {
    this.states = states;
    this.attempts.environment = environment;
    this.beyond.want(states, namesakes);
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
    // what waits for its turn waits for a reading by the new way
    this.attempts.takeAll([]);
    void Promise.all([this.attempts.ended(), this.beyond.ended()]).then(() => old.close());
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
    await Promise.all([probing, this.attempts.ended(), this.beyond.ended()]);
    await this.connection.close();
  }

  readonly hold = (isOnHold: boolean): void => {
    this.attempts.isOnHold = isOnHold;
    // whoever waits for a turn gets one in the first round after that
    if (isOnHold) this.attempts.takeAll([]);
    this.nextRoundAt = 0;
    this.pause.end();
  };

  readonly isIdle = (): boolean => !this.isInRound && this.attempts.isIdle && this.beyond.isIdle;

  /** Work on a machine has ended. Thousands that need nothing more wake nobody. */
  private again(key: string): void {
    if (this.records.byKey.get(key)?.retryAt !== undefined) this.pause.end();
  }

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
    const now = performance.now();
    if (this.attempts.isOnHold || now < this.notBefore) return false;
    return now >= this.nextRoundAt || this.records.isAnyDue(now);
  }

  private restMs(): number {
    const { intervalMs } = this.around.settings;
    const now = performance.now();
    if (!this.isReached) return intervalMs;
    const next = Math.max(this.notBefore, Math.min(this.nextRoundAt, this.records.retryAt));
    return Math.min(intervalMs, Math.max(NEAREST_MS, next - now));
  }

  /** Reads the cluster once. Each machine that is to be looked at has its turn then; a change comes before all others. */
  private async round(): Promise<void> {
    const began = performance.now();
    const isFull = began >= this.nextRoundAt;
    // whoever wants one meanwhile gets it after this one
    if (isFull) this.nextRoundAt = Infinity;
    const { connection } = this;
    const shared = connection.sharedOfRound();
    const reading = new ClusterReading(connection.pve, shared.reads);
    this.isInRound = true;
    try {
      await reading.refresh();
      const proxmox = await whichOne(this.around.sources.requester, shared, reading);
      // the listing that the reading was made of
      const resources = await shared.reads.resources.since(began);
      this.read(reading, clusterStatus(reading.cluster, resources, { usage: true }));
      // one by the new way is due already
      if (connection === this.connection) this.begin(connection, { began, shared, reading, isFull, proxmox });
    } catch (error) {
      this.failed(error);
    } finally {
      this.isInRound = false;
    }
  }

  private failed(error: unknown): void {
    const { settings, signal } = this.around;
    if (signal.aborted) return;
    this.failures += 1;
    this.lost(error);
    const longest = backoffMs(error, 1) === LONGEST_MS ? LONGEST_MS : settings.intervalMs;
    this.notBefore = performance.now() + Math.min(longest, backoffMs(error, this.failures));
    this.nextRoundAt = this.notBefore;
    this.probe.look();
  }

  private begin(connection: Connection, round: Round): void {
    const turns = turnsIn(round, this.states, {
      records: this.records,
      reportFor: owner => this.attempts.reportFor(owner),
      signal: this.around.signal,
      preferredNodes: connection.access.preferredNodes,
      isCurrent: () => connection === this.connection,
    });
    if (round.isFull) {
      this.began = round.began;
      this.attempts.takeAll(turns);
      this.beyond.look(round);
    } else {
      this.attempts.takeSome(turns);
    }
  }

  /** No machine of it waits for its turn any more: a round of all that was under way is over. */
  private emptied(): void {
    if (this.began === undefined) return;
    this.around.metrics.took('cluster', this.began);
    this.nextRoundAt = Math.min(this.nextRoundAt, this.began + this.around.settings.intervalMs);
    this.began = undefined;
    this.pause.end();
  }

  private read(reading: ClusterReading, status: ClusterStatus): void {
    this.failures = 0;
    if (this.isReached) this.reason = undefined;
    this.status = { ...status, lastHealthCheck: new Date().toISOString() };
    this.around.sources.requester?.clusterStands(this.name, this.status, this.reason);
    // what failed for want of a node may go well now
    if (this.nodes.take(reading.cluster.nodes)) this.records.tryAgain();
  }
}
