import { setMaxListeners } from 'node:events';
import type { ClusterSpec, MachineSpec } from '../spec';
import { ALWAYS, milliseconds } from '../spec';
import type { Report } from './event';
import { Limits } from './limits';
import { NameIndex } from './name-index';
import { observeCluster, observeNodes } from './observe-cluster';
import type { ObservedCluster } from './observed';
import type { Pve } from './pve';
import { UnderWay } from './under-way';
import { Vmids } from './vmids';

/** What the machines of one run share: the connection, what was read of the cluster, limits, the ids given out. */
export class Fleet {
  readonly limits: Limits;
  readonly vmids: Vmids;
  names: NameIndex;
  /** The configurations of what is cloned, where one had to be read. */
  readonly sources = new Map<number, Promise<Record<string, string>>>();
  /** Nodes to take first for new machines, where they fit. */
  preferredNodes: readonly string[] = [];
  private refreshing: Promise<void> | undefined;

  private constructor(
    readonly pve: Pve,
    readonly clusterSpec: ClusterSpec,
    public cluster: ObservedCluster,
    readonly underWay: UnderWay,
    readonly report: Report,
    readonly signal: AbortSignal,
  ) {
    const { clonesPerTemplate, tasksPerNode } = ALWAYS.cluster.limits;
    this.limits = new Limits({
      clonesPerTemplate: clusterSpec.limits?.clonesPerTemplate ?? clonesPerTemplate,
      tasksPerNode: clusterSpec.limits?.tasksPerNode ?? tasksPerNode,
    });
    this.vmids = new Vmids(clusterSpec.vmidRange ?? ALWAYS.cluster.vmidRange);
    this.names = new NameIndex(pve, cluster);
  }

  /** Reads the cluster once and opens a run on it. */
  static async open(pve: Pve, clusterSpec: ClusterSpec, report: Report, signal: AbortSignal): Promise<Fleet> {
    // each request and each wait of a fleet listens to the one signal
    setMaxListeners(0, signal);
    const cluster = await observeCluster(pve);
    const underWay = await UnderWay.at(pve, cluster);
    return new Fleet(pve, clusterSpec, cluster, underWay, report, signal);
  }

  /** Reads the cluster again. Whoever asks while that is under way waits for the same reading. */
  async refresh(): Promise<void> {
    this.refreshing ??= this.read().finally(() => (this.refreshing = undefined));
    await this.refreshing;
  }

  /** Reads bridges and storages of some nodes, once each. */
  async learn(nodes: string[]): Promise<void> {
    this.cluster = await observeNodes(this.pve, this.cluster, nodes);
  }

  timeoutMs({ timeouts }: MachineSpec): number {
    const { create, apply } = ALWAYS.timeouts;
    return Math.max(milliseconds(timeouts?.create ?? create), milliseconds(timeouts?.apply ?? apply));
  }

  private async read(): Promise<void> {
    const known = new Map(this.cluster.nodes.map(node => [node.name, node]));
    const cluster = await observeCluster(this.pve);
    const nodes = cluster.nodes.map(node => ({ ...known.get(node.name), ...node }));
    this.cluster = { ...cluster, nodes };
    this.names = new NameIndex(this.pve, this.cluster);
  }
}
