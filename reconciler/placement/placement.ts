import type { Objection } from '../action';
import type { FleetMachine } from '../../spec';
import type { Reach, Sources } from './image-reach';
import { reach } from './image-reach';
import { unwelcomeOn } from './neighbours';
import { objection } from './node-objections';
import type { ObservedNode } from '../observed';
import type { PlacementFacts } from './placement-facts';
import { unpromisedMemory } from './placement-facts';

export interface Place extends Reach {
  node: string;
}

export type Choice = Place | Objection;

/**
 * Where a new machine goes, among all nodes or only those named: its own node where that fits, else the best that
 * does. A choice that breaks a rule is never made: then it says, for each node, the first reason.
 */
export function placeFor(
  machine: FleetMachine,
  sources: Sources,
  facts: PlacementFacts,
  among: readonly string[] = facts.cluster.nodes.map(({ name }) => name),
): Choice {
  const reasons: string[] = [];
  const fitting: Place[] = [];
  for (const node of facts.cluster.nodes.filter(({ name }) => among.includes(name))) {
    const found = fit(machine, node, sources, facts);
    if (typeof found === 'string') reasons.push(`${node.name}: ${found}`);
    else fitting.push({ ...found, node: node.name });
  }
  return best(machine, fitting, facts) ?? noPlace(reasons);
}

/** What a machine that names a node which the cluster does not have is told. */
export function unknownNode({ node }: FleetMachine, { cluster }: PlacementFacts): Objection | undefined {
  const names = cluster.nodes.map(({ name }) => name);
  if (node === undefined || names.includes(node)) return undefined;
  return {
    why: 'no-node',
    detail: `the cluster has no node '${node}'; it has ${names.join(', ')}.`,
    remedy: 'Name one of them in node.',
    changed: 'nothing',
  };
}

function fit(
  machine: FleetMachine,
  node: ObservedNode,
  sources: Sources,
  facts: PlacementFacts,
): Reach | string {
  return objection(machine, node, facts) ?? reach(machine, node, sources, facts);
}

function noPlace(reasons: string[]): Objection {
  return {
    why: 'no-place',
    detail: `no node can take it (${reasons.join('; ')}).`,
    remedy: 'Change node, placement or image, or make room.',
    changed: 'nothing',
  };
}

/** By its own node, then without a move, then nodes to take first, unwelcome neighbours, free or full, and name. */
function best(machine: FleetMachine, fitting: Place[], facts: PlacementFacts): Place | undefined {
  const direction = machine.placement?.strategy === 'pack' ? 1 : -1;
  const ranked = fitting.map(place => ({
    place,
    ranks: [
      place.node === machine.node ? 0 : 1,
      place.moves ? 1 : 0,
      facts.preferred.includes(place.node) ? 0 : 1,
      unwelcomeOn(machine, place.node, facts),
      direction * unpromisedMemory(facts, place.node),
    ],
  }));
  ranked.sort(
    (one, other) => compareRanks(one.ranks, other.ranks) || compareNames(one.place.node, other.place.node),
  );
  return ranked[0]?.place;
}

function compareRanks(one: number[], other: number[]): number {
  return one.map((rank, index) => rank - (other[index] ?? 0)).find(difference => difference !== 0) ?? 0;
}

/** The same order on every computer, whatever its language. */
function compareNames(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
