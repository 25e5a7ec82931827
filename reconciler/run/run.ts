import { setMaxListeners } from 'node:events';
import type { ClusterSpec } from '../../spec';
import { ClusterReading } from './cluster-reading';
import type { Report } from '../event';
import type { Limits } from './limits';
import type { MarkIndex } from '../observe/find-by-mark';
import type { NameIndex } from '../observe/name-index';
import type { ObservedCluster } from '../observed';
import { Places } from './places';
import type { Pve } from '../pve';
import { needQuorum } from '../waits/quorum';
import type { QuorumWatch } from '../waits/quorum-watch';
import type { Fleet } from '../placement/fleet-nodes';
import { RunningTasks } from '../waits/running-tasks';
import type { Shared } from './shared';
import { Vmids } from '../placement/vmids';

/** What belongs to one run alone. */
export interface RunInput {
  report: Report;
  signal: AbortSignal;
  /** Whose new machines are placed together. */
  fleet?: Fleet | undefined;
  /** Nodes to take first for new machines, where they fit. */
  preferredNodes?: readonly string[];
}

/** One run on one cluster: what its machines share. */
export class Run {
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly places: Places;
  readonly vmids: Vmids;

  private constructor(
    private readonly shared: Shared,
    readonly reading: ClusterReading,
    readonly runningTasks: RunningTasks,
    { report, signal, fleet = { owner: '', machines: [] }, preferredNodes = [] }: RunInput,
  ) {
    const { pve, clusterSpec, vmidRange } = shared;
    this.report = report;
    this.signal = signal;
    const places = new Places({ pve, reading, clusterSpec, fleet, preferredNodes });
    this.places = places;
    this.vmids = new Vmids(vmidRange, () => places.absent());
    this.vmids.keep(fleet.machines.flatMap(({ vmid }) => vmid ?? []));
  }

  /** Reads the cluster once and opens a run on it. */
  static async open(shared: Shared, input: RunInput): Promise<Run> {
    // each request and each wait of a run listens to the one signal
    setMaxListeners(0, input.signal);
    const reading = await ClusterReading.begin(shared.pve);
    const runningTasks = await RunningTasks.at(shared.pve, reading.cluster);
    return new Run(shared, reading, runningTasks, input);
  }

  get pve(): Pve {
    return this.shared.pve;
  }

  get clusterSpec(): ClusterSpec {
    return this.shared.clusterSpec;
  }

  get limits(): Limits {
    return this.shared.limits;
  }

  get marks(): MarkIndex {
    return this.shared.marks;
  }

  get quorum(): QuorumWatch {
    return this.shared.quorum;
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
