import { setMaxListeners } from 'node:events';
import type { ClusterSpec } from '../../spec';
import type { MachineWork } from './machine-work';
import { ClusterReading } from './cluster-reading';
import type { Report } from '../event';
import { Images } from '../images/find-image';
import { UntaggedMarks } from '../observe/untagged-guests';
import type { NodeLists } from '../observe/node-lists';
import type { ObservedCluster } from '../observed';
import { ClusterTasks } from './reads/cluster-tasks';
import { Places } from './place/places';
import { PveError, type Pve } from '../pve';
import { tagsOfAll, type PlacedTogether } from '../placement/fleet-nodes';
import { RunningTasks } from '../waits/running-tasks';
import { Vmids } from '../placement/vmids';
import type { Shared } from './shared';

/** What belongs to one run alone. */
export interface RunInput {
  report: Report;
  signal: AbortSignal;
  /** Whose new machines are placed together. */
  fleet?: PlacedTogether | undefined;
  /** Nodes to take first for new machines, where they fit. */
  preferredNodes?: readonly string[];
  /** The cluster as other runs have read it just now; absent: this run reads it itself. */
  reading?: ClusterReading;
  /** Whether plans say of each node why it is taken for a new machine or not. */
  explains?: boolean;
  /** Whether somebody sees how much of a long copy is done: its log is read for that. */
  tellsPercent?: boolean;
  /** Whether it writes nothing, so that what the listing tells late does no harm. */
  onlyReads?: boolean;
}

/** One run on one cluster: what its machines share. A new one has read nothing. */
export class Run {
  readonly reading: ClusterReading;
  readonly runningTasks: RunningTasks;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly explains: boolean;
  readonly onlyReads: boolean;
  readonly clusterSpec: ClusterSpec;
  readonly tellsPercent: boolean;
  readonly clusterTasks: ClusterTasks;
  /** For what this run wants: after an interrupt it sends no write any more. */
  readonly pve: Pve;
  readonly places: Places;
  readonly marks: UntaggedMarks;
  readonly vmids: Vmids;
  readonly images: Images;
  /** The machines that it works on, or has worked on, by their ids. */
  readonly atWork = new Map<string, MachineWork>();

  private hasRead = false;

  constructor(
    readonly shared: Shared,
    { report, signal, explains = false, onlyReads = false, tellsPercent = false, ...input }: RunInput,
  ) {
    const { clusterSpec, vmidRange } = shared;
    const pve = shared.pve.until(signal);
    const { fleet = { owner: '', machines: [] }, preferredNodes = [] } = input;
    // each request and each wait of a run listens to the one signal
    setMaxListeners(0, signal);
    this.pve = pve;
    this.clusterSpec = clusterSpec;
    this.report = report;
    this.signal = signal;
    this.explains = explains;
    this.onlyReads = onlyReads;
    this.tellsPercent = tellsPercent;
    this.reading = input.reading ?? new ClusterReading(pve, shared.reads, onlyReads);
    this.hasRead = input.reading !== undefined;
    this.clusterTasks = new ClusterTasks(shared.reads, () => this.cluster);
    this.runningTasks = new RunningTasks(pve);
    const { reading } = this;
    const places = new Places({ reading, clusterSpec, fleet, preferredNodes, explains });
    this.places = places;
    this.images = new Images(pve, shared.localFiles);
    this.marks = new UntaggedMarks(pve, vmidRange, () => tagsOfAll(fleet));
    this.vmids = new Vmids(vmidRange, () => places.absent(), shared.takenIds);
    this.vmids.keep(fleet.machines.flatMap(({ vmid }) => vmid ?? []));
  }

  /** To be called at its end: the ids that it took are free for others, unless they are listed by now. */
  close(): void {
    this.vmids.release();
    this.shared.madeIds.release(this);
  }

  /** For what makes good for this run, also after an interrupt. */
  get lastingPve(): Pve {
    return this.shared.pve;
  }

  /** The cluster as it was last read. Before the first reading: NOT_READ, no guests, and no quorum is denied. */
  get cluster(): ObservedCluster {
    return this.reading.cluster;
  }

  get nodeLists(): NodeLists {
    return this.reading.nodeLists;
  }

  /** Whether the cluster was read. Until then nothing of it is known. */
  get isRead(): boolean {
    return this.hasRead;
  }

  /**
   * Reads the cluster, unless that was done: its resources, status, options and version, and what the caller may do.
   * What a plan needs besides is a fact, and read where it is asked for (machine/facts.ts).
   */
  async read(): Promise<void> {
    if (!this.hasRead) await this.refresh();
  }

  /** Reads the cluster again. */
  async refresh(): Promise<void> {
    await this.reading.refresh();
    this.hasRead = true;
  }

  /** Throws where the cluster had no quorum when it was last read; one that was not read, or may not be asked, passes. */
  needQuorumAsRead(): void {
    throwWithout(this.cluster.quorate);
  }

  /**
   * The same, as the cluster says now: runs that ask at the same time share one answer, to a request that began after
   * all of them had asked. A caller who may not ask goes on.
   */
  async needQuorumNow(): Promise<void> {
    throwWithout((await this.shared.reads.status.soon(this.signal))?.quorate);
  }

  /** The same, by an answer that is no older than a second: before what takes nothing for good. */
  async needQuorumOfLate(): Promise<void> {
    throwWithout((await this.shared.reads.status.recent())?.quorate);
  }
}

/** Without a quorum Proxmox does half of what it is asked, and destroys disks before it fails. */
function throwWithout(quorum: boolean | undefined): void {
  if (quorum !== false) return;
  const text = 'the cluster has no quorum, nothing was sent';
  throw new PveError('no-quorum', { method: 'GET', path: '/cluster/status', text });
}
