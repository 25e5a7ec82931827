import { ALWAYS, type ClusterSpec } from '../../spec';
import { Fetches } from '../images/fetches';
import { LocalFiles } from '../images/local-files';
import type { Pve } from '../pve';
import { QuorumWatch } from '../waits/quorum-watch';
import { ClusterReads, type Apart } from '../observe/cluster-reads';
import { Limits } from './limits';
import { MadeIds } from './made-ids';
import { TakenIds } from '../placement/taken-ids';

/** What the runs of one process share on one cluster. Nothing in it belongs to one of them alone. */
export class Shared {
  /** Where new machines get their ids. */
  readonly vmidRange: { from: number; to: number };
  readonly takenIds = new TakenIds();
  readonly madeIds = new MadeIds();
  readonly limits: Limits;
  readonly quorum: QuorumWatch;
  readonly reads: ClusterReads;
  readonly fetches = new Fetches();
  readonly localFiles = new LocalFiles();

  constructor(
    readonly pve: Pve,
    readonly clusterSpec: ClusterSpec,
    /** How far the readings are apart that many runs share. */
    readingsApart?: Apart,
  ) {
    this.vmidRange = clusterSpec.vmidRange ?? ALWAYS.cluster.vmidRange;
    const { clonesPerTemplate, tasksPerNode } = ALWAYS.cluster.limits;
    this.limits = new Limits({
      clonesPerTemplate: clusterSpec.limits?.clonesPerTemplate ?? clonesPerTemplate,
      tasksPerNode: clusterSpec.limits?.tasksPerNode ?? tasksPerNode,
    });
    this.quorum = new QuorumWatch(pve);
    this.reads = new ClusterReads(pve, readingsApart);
  }
}
