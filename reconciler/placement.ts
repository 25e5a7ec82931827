import type { ClusterSpec, MachineSpec } from '../spec';
import type { ListedGuest, ObservedCluster, ObservedNode } from './observed';

/** What a machine may be cloned from, and whether its volumes can be reached from every node. */
export interface Sources {
  guests: ListedGuest[];
  shared: boolean;
}

export type Choice = { node: string; source?: ListedGuest } | { why: string; detail: string; remedy: string };

/**
 * Where a new machine goes: the named node, else the first that fits, the emptiest first. A choice that breaks a
 * rule is never made: then it says, for each node, the first reason.
 */
export function placeFor(
  spec: MachineSpec,
  cluster: ObservedCluster,
  clusterSpec: ClusterSpec,
  sources: Sources,
  preferred: readonly string[] = [],
): Choice {
  const reasons: string[] = [];
  for (const node of inOrder(spec, cluster, preferred)) {
    const source = sourceFor(node.name, sources);
    const reason = objection(spec, node, clusterSpec) ?? sourceObjection(source, sources);
    if (reason === undefined) return { node: node.name, ...(source ? { source } : {}) };
    reasons.push(`${node.name}: ${reason}`);
  }
  const unknown = spec.node !== undefined && !cluster.nodes.some(({ name }) => name === spec.node);
  const there = cluster.nodes.map(({ name }) => name).join(', ');
  return {
    why: unknown ? 'no-node' : 'no-place',
    detail: unknown
      ? `the cluster has no node '${spec.node}'; it has ${there}.`
      : `no node can take it (${reasons.join('; ')}).`,
    remedy: 'Change node, placement or image, or make room. Nothing was changed.',
  };
}

/** A named node is the only candidate; else preferred ones first, then the most free memory, then by name. */
function inOrder(spec: MachineSpec, cluster: ObservedCluster, preferred: readonly string[]): ObservedNode[] {
  if (spec.node !== undefined) return cluster.nodes.filter(({ name }) => name === spec.node);
  const allowed = spec.placement?.nodes;
  const free = ({ memory, memoryUsed }: ObservedNode): number => memory - memoryUsed;
  const later = ({ name }: ObservedNode): number => (preferred.includes(name) ? 0 : 1);
  const direction = spec.placement?.strategy === 'pack' ? -1 : 1;
  return cluster.nodes
    .filter(({ name }) => allowed === undefined || allowed.includes(name))
    .sort(
      (one, other) =>
        later(one) - later(other) ||
        direction * (free(other) - free(one)) ||
        one.name.localeCompare(other.name),
    );
}

function objection(spec: MachineSpec, node: ObservedNode, clusterSpec: ClusterSpec): string | undefined {
  if (clusterSpec.nodes && !clusterSpec.nodes.includes(node.name)) return "not among the cluster's nodes";
  if (!node.online) return 'offline';
  if (node.maintenance) return 'in maintenance';
  const need = (spec.memory ?? 0) + (spec.placement?.minFreeMemory ?? 0);
  if (node.memory > 0 && node.memory - node.memoryUsed < need)
    return 'insufficient resources on node (memory)';
  return undefined;
}

function sourceFor(node: string, { guests, shared }: Sources): ListedGuest | undefined {
  return guests.find(guest => guest.node === node) ?? (shared ? guests[0] : undefined);
}

function sourceObjection(source: ListedGuest | undefined, { guests }: Sources): string | undefined {
  if (guests.length === 0 || source) return undefined;
  return `the template is on ${guests.map(({ node }) => node).join(', ')}, on storage that is not shared`;
}
