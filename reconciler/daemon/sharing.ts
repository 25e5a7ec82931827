import type { HeldLease } from '../input/surroundings';

/** Which clusters this host keeps, where several hosts share them. */
export interface Sharing {
  /** What they share them by. */
  readonly title: string;
  /** The clusters that the desired state names from now on. */
  want: (clusters: readonly string[]) => void;
  /** Takes clusters and gives them back, until the signal is aborted and the work on all of them has ended. */
  run: (begin: BeginCluster, signal: AbortSignal) => Promise<void>;
  /** Of a cluster that this host does not keep: who does. */
  elsewhere: (cluster: string) => Elsewhere;
}

/** `keptBy`: the host that keeps it, and since when we have seen it so. Else `reason`: why nobody does. */
export type Elsewhere = { keptBy: string; since: string } | { reason: string };

/** Begins to keep a cluster by the desired state as it is now. Undefined: nothing is wanted of it any more. */
export type BeginCluster = (cluster: string, held: HeldCluster) => Promise<ClusterWork | undefined>;

/** A cluster that this host holds, until the signal is aborted. */
export interface HeldCluster extends HeldLease {
  signal: AbortSignal;
}

/** The work of this host on one cluster. */
export interface ClusterWork {
  /** While it is on hold nothing more is begun. What is under way goes on. */
  hold: (isOnHold: boolean) => void;
  /** Whether nothing is under way. */
  isIdle: () => boolean;
  stop: () => void;
  ended: Promise<void>;
}
