import type { ClusterAccess } from '../config/cluster-access';
import type { UseShared } from '../input/surroundings';
import { connect } from '../pve';
import { Shared } from '../run/run';

/**
 * A create and a destroy take seconds. Ten at once ask for the same some twenty times a second. The listing costs a
 * cluster the most; each create waits for it once. Each destroy waits for the quorum twice.
 */
const READINGS_APART = { listingMs: 250, quorumMs: 250 };

/**
 * What the runs of a worker share: one connection for each cluster and way to it. Whoever comes with other credentials,
 * or another spec of the cluster, has another one.
 */
export class Connections {
  private readonly open = new Map<string, Shared>();

  readonly use: UseShared = (access, work) => work(this.sharedOf(access));

  private sharedOf({ cluster, pve }: ClusterAccess): Shared {
    const key = JSON.stringify([cluster, pve]);
    const shared = this.open.get(key) ?? new Shared(connect(pve), cluster, READINGS_APART);
    this.open.set(key, shared);
    return shared;
  }
}
