import type { ClusterSpec, FleetMachine, NodeSpec } from '../spec';
import type { ListedGuest, ObservedCluster } from './observed';

/** A machine of the fleet whose node is known. */
export interface Resident {
  machine: FleetMachine;
  node: string;
  /** True: this run chose the node, and what it takes there is not in the nodes' figures yet. */
  planned: boolean;
  /** Its guest, where the listing has it. */
  guest: ListedGuest | undefined;
}

/** All that placement looks at, besides the machine itself. Plain data. */
export interface Site {
  cluster: ObservedCluster;
  clusterSpec: ClusterSpec;
  /** What is said about nodes. */
  nodes: readonly NodeSpec[];
  /** Nodes to take first, where they fit. */
  preferred: readonly string[];
  /** The fleet without the machine that is placed. */
  residents: readonly Resident[];
}

/** What is said about one node. */
export function saidOf({ nodes }: Site, node: string): NodeSpec | undefined {
  return nodes.find(({ nodeName }) => nodeName === node);
}

/** The guests that a node has, or is to have once this run is done. Templates count for nothing. */
export function guestCount({ cluster, residents }: Site, node: string): number {
  const listed = cluster.guests.filter(guest => guest.node === node && !guest.template).length;
  return listed + residents.filter(one => one.node === node && one.planned && !one.guest).length;
}

/** The memory that machines planned in this run will take of a node; what runs already is in the node's own figure. */
export function reservedMemory({ residents }: Site, node: string): number {
  return residents
    .filter(one => one.node === node && one.planned && one.guest?.power !== 'running')
    .reduce((sum, { machine }) => sum + (machine.memory ?? 0), 0);
}

/**
 * The memory of a node that no guest was promised. Not the load of this moment: two processes that read one after
 * the other order the nodes alike.
 */
export function unpromisedMemory(site: Site, node: string): number {
  const { cluster, residents } = site;
  const total = cluster.nodes.find(({ name }) => name === node)?.memory ?? 0;
  const listed = cluster.guests
    .filter(guest => guest.node === node && !guest.template)
    .reduce((sum, { memory }) => sum + memory, 0);
  const planned = residents
    .filter(one => one.node === node && one.planned && !one.guest)
    .reduce((sum, { machine }) => sum + (machine.memory ?? 0), 0);
  return total - listed - planned;
}
