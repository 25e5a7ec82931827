import { ALWAYS, type ClusterSpec } from '../../spec';
import { Fetches } from '../images/fetches';
import { LocalFiles } from '../images/local-files';
import { listedGuests } from '../observe/cluster';
import { SharedReads, SharedReading } from '../observe/shared-reads';
import { linesOfMost, readAllGuests, type AllGuests, type GuestLines } from '../observe/volume-users';
import { TakenIds } from '../placement/taken-ids';
import type { Pve } from '../pve';
import { QuorumWatch } from '../waits/quorum-watch';
import { Limits } from './clone-limits';
import { MadeIds } from './made-ids';
import { ImageLists } from './reads/image-lists';

/** What the runs of one process share on one cluster. Nothing in it belongs to one of them alone. */
export class Shared {
  /** Where new machines get their ids. */
  readonly vmidRange: { from: number; to: number };
  readonly takenIds = new TakenIds();
  readonly madeIds = new MadeIds();
  readonly limits: Limits;
  readonly quorum: QuorumWatch;
  readonly reads: SharedReads;
  readonly imageLists: ImageLists;
  readonly fetches = new Fetches();
  readonly localFiles = new LocalFiles();
  /** What guests say in their configurations: of a cluster with very many, of some. */
  readonly guestLines: SharedReading<GuestLines[]>;
  /** What all of them say, with their snapshots: thousands of requests where there are very many. */
  readonly allGuests: SharedReading<AllGuests>;
  /** Whether a guest that was started again was met locked by Proxmox's own clean-up: not every version does that. */
  locksToCleanUp = false;

  constructor(
    readonly pve: Pve,
    readonly clusterSpec: ClusterSpec,
    /** How long runs at the same time wait for one another, to share a reading. */
    gatherMs = 0,
    /** Those of others that are at work on this cluster at the same time. */
    limits?: Limits,
  ) {
    this.vmidRange = clusterSpec.vmidRange ?? ALWAYS.cluster.vmidRange;
    const { clonesPerTemplate, tasksPerNode } = ALWAYS.cluster.limits;
    this.limits =
      limits ??
      new Limits({
        clonesPerTemplate: clusterSpec.limits?.clonesPerTemplate ?? clonesPerTemplate,
        tasksPerNode: clusterSpec.limits?.tasksPerNode ?? tasksPerNode,
      });
    this.quorum = new QuorumWatch(pve);
    this.reads = new SharedReads(pve, gatherMs);
    this.imageLists = new ImageLists(pve);
    const lines = async () => linesOfMost(pve, listedGuests(await this.reads.resources.recent()));
    // a request for each guest: they wait longer
    this.guestLines = new SharedReading(lines, { gatherMs: gatherMs * 8 });
    this.allGuests = new SharedReading(() => readAllGuests(pve), { holdsUpMs: 60_000 });
  }
}
