import type { NodeReason } from '../action';
import { counted } from '../errors';
import { ALWAYS, formatSize, type FleetMachine } from '../../spec';
import type { Reach } from './image-reach';
import { softOn } from './neighbours';
import { unpromisedMemory, type PlacementFacts } from './placement-facts';

/** A node that can take a machine. */
export interface Ranked {
  node: string;
  reach: Reach;
  /** What is compared, one after the other: less is better. */
  ranks: number[];
}

type Placed = Pick<Ranked, 'node' | 'ranks'>;

interface Rank {
  of: (machine: FleetMachine, node: string, reach: Reach, facts: PlacementFacts) => number;
  /** Why a node comes after the one that is taken: what counts there, and what on the other. */
  says: (there: number, taken: number, node: string, machine: FleetMachine) => string;
}

/** Its own node, then without a move, then nodes to take first, unwelcome and sought neighbours, free or full. */
const RANKS: readonly Rank[] = [
  {
    of: (machine, node) => (node === machine.node ? 0 : 1),
    says: (_, __, node) => `the machine names ${node}`,
  },
  {
    of: (_, __, { moves }) => (moves ? 1 : 0),
    says: (_, __, node) => `the clone would have to move there; on ${node} it need not`,
  },
  {
    of: (_, node, __, { preferred }) => (preferred.includes(node) ? 0 : 1),
    says: (_, __, node) => `PVE_NODE_SELECTOR names ${node}`,
  },
  {
    of: (machine, node, _, facts) => softOn('antiAffinity', machine, node, facts),
    says: (there, taken, node) =>
      `antiAffinity avoids ${counted(there, 'guest', 'guests')} there, and ${taken} on ${node}`,
  },
  {
    of: (machine, node, _, facts) => -softOn('affinity', machine, node, facts),
    says: (there, taken, node) =>
      `affinity prefers most of its guests: ${-there} there, and ${-taken} on ${node}`,
  },
  {
    of: (machine, node, _, facts) =>
      (strategyOf(machine) === 'pack' ? 1 : -1) * unpromisedMemory(facts, node),
    says: (there, taken, node, machine) => {
      const sign = strategyOf(machine) === 'pack' ? 1 : -1;
      return `strategy ${strategyOf(machine)}: ${shownSize(sign * there)} of its memory are promised to no guest, on ${node} ${shownSize(sign * taken)}`;
    },
  },
];

function strategyOf({ placement }: FleetMachine): 'spread' | 'pack' {
  return placement?.strategy ?? ALWAYS.placement.strategy;
}

export function ranksOf(machine: FleetMachine, node: string, reach: Reach, facts: PlacementFacts): number[] {
  return RANKS.map(({ of }) => of(machine, node, reach, facts));
}

/** Better nodes first; by name where nothing tells them apart, in the same order on every computer. */
export function compareRanks(one: Placed, other: Placed): number {
  const index = firstDifference(one.ranks, other.ranks);
  if (index >= 0) return (one.ranks[index] ?? 0) - (other.ranks[index] ?? 0);
  return one.node < other.node ? -1 : one.node > other.node ? 1 : 0;
}

/** Why each of the nodes that fit was taken or not, the best one first. */
export function reasonsOf(machine: FleetMachine, [best, ...others]: readonly Ranked[]): NodeReason[] {
  if (!best) return [];
  const taken = others.length === 0 ? 'no other node can take it' : 'the best of those that can take it';
  return [
    { node: best.node, taken: true, reason: taken },
    ...others.map(other => ({ node: other.node, taken: false, reason: whyLater(machine, other, best) })),
  ];
}

function whyLater(machine: FleetMachine, other: Ranked, best: Ranked): string {
  const index = firstDifference(other.ranks, best.ranks);
  const rank = RANKS[index];
  if (!rank) return `it can take it as well as ${best.node}, which comes first by name`;
  return rank.says(other.ranks[index] ?? 0, best.ranks[index] ?? 0, best.node, machine);
}

function firstDifference(one: readonly number[], other: readonly number[]): number {
  return one.findIndex((rank, index) => rank !== other[index]);
}

/** In whole MiB. What a node has promised beyond its memory is less than nothing. */
function shownSize(bytes: number): string {
  const MiB = 2 ** 20;
  return `${bytes < 0 ? '-' : ''}${formatSize(Math.floor(Math.abs(bytes) / MiB) * MiB)}`;
}
