import type { Problem } from '../machine/problem';
import type { ObservedCluster } from '../observed';
import { bridgeWays } from './bridge-needs';
import { meets } from './held';
import type { Need } from './need';
import { onPath } from './need';

/**
 * Whether Proxmox would hide from the caller what seems to be missing. Then its absence proves nothing, and the
 * privilege that he lacks is the thing to tell.
 */
export function isHidden({ why, to }: Problem, cluster: ObservedCluster): boolean {
  const sight = to === undefined ? undefined : sightOf(why, to, cluster);
  return sight !== undefined && !meets(cluster, sight);
}

function sightOf(why: string, name: string, { permissions }: ObservedCluster): Need | undefined {
  if (why === 'bridge-not-found') return bridgeWays(name, permissions);
  if (why !== 'storage-not-found') return undefined;
  return onPath(name, `/storage/${name}`, 'Datastore.Audit', 'Datastore.AllocateSpace');
}
