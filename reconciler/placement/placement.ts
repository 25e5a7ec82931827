import { untouched, type NodeReason, type Objection } from '../action';
import type { FleetMachine } from '../../spec';
import { compareRanks, ranksOf, reasonsOf, type Ranked } from './ranks';
import { reach, type Reach, type ImageSources } from './image-reach';
import type { Side } from './neighbours';
import { objection, type Unfit } from './node-objections';
import type { ObservedCluster, ObservedNode } from '../observed';
import type { PlacementFacts } from './placement-facts';
import { remedyOf } from './ways-out';

export interface ChosenNode extends Reach {
  node: string;
  /** Says of each node that was looked at why it was taken or not. */
  reasons: () => NodeReason[];
}

export type Choice = ChosenNode | Objection;

/**
 * Where a new machine goes, among all nodes or only those named: its own node where that fits, else the best that
 * does. A choice that breaks a rule is never made: then it says, for each node, the first reason.
 */
export function placeFor(
  machine: FleetMachine,
  sources: ImageSources,
  facts: PlacementFacts,
  among: readonly string[] = facts.cluster.nodes.map(({ name }) => name),
): Choice {
  const unfit: UnfitNode[] = [];
  const fitting: Ranked[] = [];
  for (const node of facts.cluster.nodes.filter(({ name }) => among.includes(name))) {
    const found = reachOf(machine, node, sources, facts);
    if ('reason' in found) unfit.push({ node: node.name, ...found });
    else fitting.push({ reach: found, node: node.name, ranks: ranksOf(machine, node.name, found, facts) });
  }
  fitting.sort(compareRanks);
  const [best] = fitting;
  if (!best) return noPlace(unfit);
  const others = (): NodeReason[] => unfit.map(({ node, reason }) => ({ node, taken: false, reason }));
  return { ...best.reach, node: best.node, reasons: () => [...reasonsOf(machine, fitting), ...others()] };
}

/** How a node would get the image of a machine, or the first reason why the machine cannot go there. */
export function reachOf(
  machine: FleetMachine,
  node: ObservedNode,
  sources: ImageSources,
  facts: PlacementFacts,
): Reach | Unfit {
  const unfit = objection(machine, node, facts);
  if (unfit) return unfit;
  const found = reach(machine, node, sources, facts);
  return typeof found === 'string' ? { reason: found, ways: ['change node, placement or image'] } : found;
}

/** What is reported of a machine that names a node which the cluster does not have. */
export function unknownNode({ node }: FleetMachine, cluster: ObservedCluster): Objection | undefined {
  const names = cluster.nodes.map(({ name }) => name);
  if (node === undefined || names.includes(node)) return undefined;
  const detail = `the cluster has no node '${node}'; it has ${names.join(', ')}.`;
  return untouched('no-node', detail, 'Name one of them in node.');
}

/** What a machine is told whose planned node does not fit any more, where the labels of the others are not known. */
export function lostPlace(planned: string, side: Side): Objection {
  const detail = `node ${planned}, which the plan chose for it, cannot take it any more, and ${side} compares labels that only a plan of all machines knows.`;
  return untouched('no-place', detail, 'Plan again, then apply.');
}

type UnfitNode = Unfit & { node: string };

/** Each reason once, with the nodes that it holds for: of 32 nodes most have the same. */
function noPlace(unfit: readonly UnfitNode[]): Objection {
  const reasons = [...new Set(unfit.map(({ reason }) => reason))].map(reason => {
    const nodes = unfit.filter(each => each.reason === reason).map(({ node }) => node);
    return `${nodes.join(', ')}: ${reason}`;
  });
  const causes = unfit.flatMap(({ cause }) => cause ?? []);
  const cause = causes.find(({ about }) => about === 'resources') ?? causes[0];
  const detail = `no node can take it (${reasons.join('; ')}).`;
  return { ...untouched('no-place', detail, remedyOf(unfit)), ...(cause && { cause }) };
}
