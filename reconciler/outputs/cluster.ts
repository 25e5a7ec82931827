import type { ClusterStatus } from '../../spec';
import type { ObservedCluster, ObservedNode } from '../observed';
import type { ClusterResources } from '../pve';

type NodeStatus = ClusterStatus['nodes'][number];

/** The outputs of a cluster. `usage`: also what is in use, which never stands still. */
export function clusterStatus(
  cluster: ObservedCluster,
  resources: ClusterResources,
  { usage }: { usage: boolean },
): ClusterStatus {
  const nodes = cluster.nodes
    .map(node => nodeStatus(node, cluster, resources, usage))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    ready: cluster.quorate !== false && nodes.some(({ ready }) => ready),
    ...(cluster.version === '' ? {} : { version: cluster.version }),
    ...(cluster.quorate === undefined ? {} : { quorate: cluster.quorate }),
    nodes,
  };
}

function nodeStatus(
  { name, online, maintenance, cpus, memory, memoryUsed }: ObservedNode,
  { guests }: ObservedCluster,
  { nodes, storages }: ClusterResources,
  usage: boolean,
): NodeStatus {
  const share = (total: number, used: number): { total: number; used?: number } =>
    usage ? { total, used } : { total };
  const own = storages.filter(({ node }) => node === name);
  const sum = (key: 'maxdisk' | 'disk'): number => own.reduce((total, row) => total + (row[key] ?? 0), 0);
  const load = nodes.find(({ node }) => node === name)?.cpu ?? 0;
  return {
    name,
    ready: online && !maintenance,
    online,
    resources: {
      cpu: share(cpus, load * cpus),
      memory: share(memory, memoryUsed),
      storage: share(sum('maxdisk'), sum('disk')),
    },
    vmCount: guests.filter(({ node, type, template }) => node === name && type === 'qemu' && !template)
      .length,
  };
}
