import type { Problem } from '../machine/problem';
import type { ObservedCluster } from '../observed';
import { bridgeWays } from './bridge-needs';
import { meets } from './held';
import { onPath } from './need';

/**
 * Whether Proxmox would hide from the caller what seems to be missing. Then its absence proves nothing, and the
 * privilege that he lacks is the thing to tell.
 */
export function isHidden({ why, to }: Problem, cluster: ObservedCluster): boolean {
  if (to === undefined) return false;
  if (why === 'bridge-not-found') return hidesBridge(to, cluster);
  return why === 'storage-not-found' && hidesStorage(to, cluster);
}

/** Whether Proxmox would not list this bridge to the caller, were it there. */
export function hidesBridge(name: string, cluster: ObservedCluster): boolean {
  return !meets(cluster, bridgeWays(name, cluster.permissions));
}

/** Whether Proxmox would not list this storage to the caller, were it there. */
export function hidesStorage(name: string, cluster: ObservedCluster): boolean {
  return !meets(cluster, onPath(name, `/storage/${name}`, 'Datastore.Audit', 'Datastore.AllocateSpace'));
}
