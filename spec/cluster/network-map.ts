import type { ClusterSpec } from './cluster';
import { ALWAYS } from '../fields/defaults';
import type { NetworkSpec } from '../machine/network';

/** The network map in force: the default one with the cluster's entries over it. */
export function networkMapOf(cluster: Pick<ClusterSpec, 'networkMap'>): Record<string, string> {
  return { ...ALWAYS.cluster.networkMap, ...cluster.networkMap };
}

/** The bridge of a network: the one named, through the map where the map knows the name; undefined when nothing names one. */
export function bridgeOf(
  network: Pick<NetworkSpec, 'name' | 'bridge'>,
  cluster: Pick<ClusterSpec, 'networkMap'>,
): string | undefined {
  const map = new Map(Object.entries(networkMapOf(cluster)));
  if (network.bridge !== undefined) return map.get(network.bridge) ?? network.bridge;
  return map.get(network.name) ?? (/^vmbr/.test(network.name) ? network.name : undefined);
}
