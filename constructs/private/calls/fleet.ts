import { canonical, knownFleetMachine } from '../../../spec';
import type { ClusterView } from './cluster-view';
import { literal } from '../tokens/encode';
import type { Member } from './machine-view';

// Every observer of a cluster carries the same text. Machines and nodes are only ever added.
const TEXTS = new WeakMap<ClusterView, { machines: number; nodes: number; text: string }>();

/**
 * What placement must know of all machines, for an observer of these ones: so that two observers do not give one
 * place away twice. Undefined where the observer sees them all anyway and nothing is said about nodes.
 */
export function fleetText(cluster: ClusterView, observed: readonly Member[]): string | undefined {
  const { members, nodes } = cluster;
  if (observed.length === members.length && nodes.length === 0) return undefined;
  const known = TEXTS.get(cluster);
  if (known?.machines === members.length && known.nodes === nodes.length) return known.text;
  const text = literal(
    canonical({ machines: members.map(member => knownFleetMachine(member.spec().json)), nodes }),
  );
  TEXTS.set(cluster, { machines: members.length, nodes: nodes.length, text });
  return text;
}

/** What an apply must know of the nodes. The machines it needs not know: its token says the place that was chosen. */
export function nodesText({ nodes }: ClusterView): string | undefined {
  return nodes.length === 0 ? undefined : literal(canonical({ machines: [], nodes }));
}
