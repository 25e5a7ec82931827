import { setMaxListeners } from 'node:events';
import type { ClusterSpec } from '../../spec';
import { ALWAYS } from '../../spec';
import { ClusterReading } from './cluster-reading';
import type { Report } from '../event';
import { Limits } from './limits';
import { MarkIndex } from '../observe/find-by-mark';
import type { NameIndex } from '../observe/name-index';
import type { ObservedCluster } from '../observed';
import { Places } from './places';
import type { Pve } from '../pve';
import { needQuorum } from '../waits/quorum';
import { QuorumWatch } from '../waits/quorum-watch';
import type { Fleet } from '../placement/fleet-nodes';
import { RunningTasks } from '../waits/running-tasks';
import { Vmids } from '../placement/vmids';

/** What a run is given, besides the connection. */
export interface RunInput {
  clusterSpec: ClusterSpec;
  report: Report;
  signal: AbortSignal;
  /** Whose new machines are placed together. */
  fleet?: Fleet | undefined;
  /** Nodes to take first for new machines, where they fit. */
  preferredNodes?: readonly string[];
}

/** One process at work on one cluster: what its machines share. */
export class Run {
  readonly clusterSpec: ClusterSpec;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly limits: Limits;
  readonly vmids: Vmids;
  readonly places: Places;
  readonly marks: MarkIndex;
  readonly quorum: QuorumWatch;

  private constructor(
    readonly pve: Pve,
    readonly reading: ClusterReading,
    readonly runningTasks: RunningTasks,
    { clusterSpec, report, signal, fleet = { owner: '', machines: [] }, preferredNodes = [] }: RunInput,
  ) {
    this.clusterSpec = clusterSpec;
    this.report = report;
    this.signal = signal;
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
    this.places = new Places({ pve, reading, clusterSpec, fleet, preferredNodes });
  }

  /** Reads the cluster once and opens a run on it. */
  static async open(pve: Pve, input: RunInput): Promise<Run> {
    // each request and each wait of a run listens to the one signal
    setMaxListeners(0, input.signal);
    const reading = await ClusterReading.begin(pve);
    const runningTasks = await RunningTasks.at(pve, reading.cluster);
    return new Run(pve, reading, runningTasks, input);
  }

  /** The cluster as it was last read. */
  get cluster(): ObservedCluster {
    return this.reading.cluster;
  }

  get names(): NameIndex {
    return this.reading.names;
  }

  /** Reads the cluster again. */
  refresh(): Promise<void> {
    return this.reading.refresh();
  }

  /** Throws where the cluster had no quorum when it was last read. */
  needQuorum(): void {
    needQuorum(this.cluster.quorate);
  }
}
