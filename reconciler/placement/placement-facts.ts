import type { ClusterSpec, FleetMachine, NodeSpec } from '../../spec';
import type { ListedGuest, ObservedCluster } from '../observed';

/** A machine of the fleet whose node is known. */
export interface PlacedMachine {
  machine: FleetMachine;
  node: string;
  /** True: this run chose the node, and what it takes there is not in the nodes' figures yet. */
  planned: boolean;
  /** Its guest, where the listing has it. */
  guest: ListedGuest | undefined;
}

/** All that placement looks at, besides the machine itself. Plain data. */
export interface PlacementFacts {
  cluster: ObservedCluster;
  clusterSpec: ClusterSpec;
  /** What is said about nodes. */
  nodes: readonly NodeSpec[];
  /** Nodes to take first, where they fit. */
  preferred: readonly string[];
  /** By node, the fleet without the machine that is placed. */
  others: ByNode<PlacedMachine>;
  /** By node, every guest that is no template. */
  guests: ByNode<ListedGuest>;
  /** Whom of `others` a hard rule keeps together with a machine; absent: all of them are looked through. */
  together?: (machine: FleetMachine) => readonly PlacedMachine[];
}

type ByNode<T> = ReadonlyMap<string, readonly T[]>;

/** Things by the node that each is on. */
export function byNode<T extends { node: string }>(things: readonly T[]): ByNode<T> {
  const nodes = new Map<string, T[]>();
  for (const thing of things) {
    const there = nodes.get(thing.node);
    if (there) there.push(thing);
    else nodes.set(thing.node, [thing]);
  }
  return nodes;
}

/** What is said about one node. */
export function saidOf({ nodes }: PlacementFacts, node: string): NodeSpec | undefined {
  return nodes.find(({ nodeName }) => nodeName === node);
}

/** The machines of the fleet that are on a node, or are to go there. */
export function fleetOn({ others }: PlacementFacts, node: string): readonly PlacedMachine[] {
  return others.get(node) ?? [];
}

/** Those of them that are still to be made: no listing counts them. */
export function comingTo(facts: PlacementFacts, node: string): PlacedMachine[] {
  return fleetOn(facts, node).filter(one => one.planned && !one.guest);
}

/** The guests that a node has, or is to have once this run is done. Templates count for nothing. */
export function guestCount(facts: PlacementFacts, node: string): number {
  return (facts.guests.get(node)?.length ?? 0) + comingTo(facts, node).length;
}

/** The memory that machines planned in this run will take of a node; what runs already is in the node's own figure. */
export function reservedMemory(facts: PlacementFacts, node: string): number {
  return memoryOf(fleetOn(facts, node).filter(one => one.planned && one.guest?.power !== 'running'));
}

/**
 * The memory of a node that no guest was promised. Not the load of this moment: two processes that read one after
 * the other order the nodes alike.
 */
export function unpromisedMemory(facts: PlacementFacts, node: string): number {
  const total = facts.cluster.nodes.find(({ name }) => name === node)?.memory ?? 0;
  const listed = (facts.guests.get(node) ?? []).reduce((sum, { memory }) => sum + memory, 0);
  return total - listed - memoryOf(comingTo(facts, node));
}

function memoryOf(machines: readonly PlacedMachine[]): number {
  return machines.reduce((sum, { machine }) => sum + (machine.memory ?? 0), 0);
}
