import type { ClusterSpec } from '../../spec';
import { connect, type PveConfig } from '../pve';
import { Shared } from './shared';

/**
 * Ten machines at once ask for the same some twenty times a second: each create for the listing, each destroy twice for
 * the quorum. So short a wait lets most of them share an answer (bench/RESULTS.md).
 */
const GATHER_MS = 30;

/**
 * What the runs of a worker share: one connection for each cluster and way to it. Whoever comes with other credentials,
 * or another spec of the cluster, has another one.
 */
export class Connections {
  private readonly open = new Map<string, Shared>();

  sharedOf({ cluster, pve }: { cluster: ClusterSpec; pve: PveConfig }): Shared {
    const key = JSON.stringify([cluster, pve]);
    const shared = this.open.get(key) ?? new Shared(connect(pve), cluster, GATHER_MS);
    this.open.set(key, shared);
    return shared;
  }
}
