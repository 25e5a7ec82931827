import { setMaxListeners } from 'node:events';
import type { ClusterSpec } from '../../spec';
import { ALWAYS } from '../../spec';
import type { Report } from '../event';
import { Limits } from './limits';
import { MarkIndex } from '../observe/mark-index';
import { NameIndex } from '../observe/name-index';
import { observeCluster, observeGuests, observeNodes } from '../observe/observe-cluster';
import type { ListedGuest, ObservedCluster } from '../observed';
import { Places } from './places';
import type { Pve } from '../pve';
import { needQuorum } from '../waits/quorum';
import { QuorumWatch } from '../waits/quorum-watch';
import type { Fleet } from '../placement/fleet-nodes';
import { RunningTasks } from '../waits/running-tasks';
import { Vmids } from '../placement/vmids';

/** What the machines of one run share: the connection, what was read of the cluster, limits, the ids given out. */
export class Run {
  readonly limits: Limits;
  readonly vmids: Vmids;
  readonly places: Places;
  names: NameIndex;
  readonly marks: MarkIndex;
  readonly quorum: QuorumWatch;
  /** Nodes to take first for new machines, where they fit. */
  preferredNodes: readonly string[] = [];
  private refreshing: Promise<void> | undefined;
  private learning: Promise<void> = Promise.resolve();
  private listing: Promise<unknown> = Promise.resolve();
  private nextListing: Promise<ListedGuest[]> | undefined;

  private constructor(
    readonly pve: Pve,
    readonly clusterSpec: ClusterSpec,
    public cluster: ObservedCluster,
    readonly runningTasks: RunningTasks,
    readonly report: Report,
    readonly signal: AbortSignal,
    fleet: Fleet,
  ) {
    const { clonesPerTemplate, tasksPerNode } = ALWAYS.cluster.limits;
    this.limits = new Limits({
      clonesPerTemplate: clusterSpec.limits?.clonesPerTemplate ?? clonesPerTemplate,
      tasksPerNode: clusterSpec.limits?.tasksPerNode ?? tasksPerNode,
    });
    const range = clusterSpec.vmidRange ?? ALWAYS.cluster.vmidRange;
    this.vmids = new Vmids(range, () => this.places.absent());
    this.vmids.keep(fleet.machines.flatMap(({ vmid }) => vmid ?? []));
    this.marks = new MarkIndex(pve, range);
    this.quorum = new QuorumWatch(pve);
    this.places = new Places(this, fleet);
    this.names = new NameIndex(pve, cluster);
  }

  /** Reads the cluster once and opens a run on it. `fleet`: whose new machines are placed together. */
  static async open(
    pve: Pve,
    clusterSpec: ClusterSpec,
    report: Report,
    signal: AbortSignal,
    fleet: Fleet = { owner: '', machines: [] },
  ): Promise<Run> {
    // each request and each wait of a run listens to the one signal
    setMaxListeners(0, signal);
    const cluster = await observeCluster(pve);
    const runningTasks = await RunningTasks.at(pve, cluster);
    return new Run(pve, clusterSpec, cluster, runningTasks, report, signal, fleet);
  }

  /** Reads the cluster again. Whoever asks while that is under way waits for the same reading. */
  async refresh(): Promise<void> {
    this.refreshing ??= this.read().finally(() => (this.refreshing = undefined));
    await this.refreshing;
  }

  /** Reads bridges and storages of some nodes, once each, however many machines ask for them at once. */
  async learn(names: string[]): Promise<void> {
    const learning = this.learning.then(async () => {
      const { nodes } = await observeNodes(this.pve, this.cluster, names);
      this.cluster = { ...this.cluster, nodes };
    });
    this.learning = learning.catch(() => undefined);
    await learning;
  }

  /** The guests as a listing shows them that begins after this call. All who ask meanwhile share the next one. */
  listNow(): Promise<ListedGuest[]> {
    this.nextListing ??= this.listing.then(() => {
      this.nextListing = undefined;
      const listing = observeGuests(this.pve);
      this.listing = listing.catch(() => undefined);
      return listing;
    });
    return this.nextListing;
  }

  private async read(): Promise<void> {
    // bridges and storages with it: who needs those of a node reads them again
    this.cluster = await observeCluster(this.pve);
    this.names = new NameIndex(this.pve, this.cluster);
  }

  /** Throws where the cluster had no quorum when it was last read. */
  needQuorum(): void {
    needQuorum(this.cluster.quorate);
  }
}
