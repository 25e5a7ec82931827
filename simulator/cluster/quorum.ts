import { fail } from '../failure';
import type { Node, World } from '../world';

/** Fails when the cluster has lost its quorum. The text differs by what was asked; the usual one is the default. */
export function needQuorum(world: World, text = 'cluster not ready - no quorum?'): void {
  if (!hasQuorum(world)) fail(text);
}

/** Whether the cluster file system takes writes. A single node always does. */
export function hasQuorum({ cluster }: World): boolean {
  return cluster?.quorate ?? true;
}

/** Whether the other nodes see this one: it runs, and has not left the cluster. */
export function isMember(node: Node): boolean {
  return node.online && !node.left;
}

/** Decides anew who has the majority, after nodes came or went. The node that is asked must be part of it. */
export function recountQuorum(world: World): void {
  if (!world.cluster) return;
  const [asked] = world.nodes;
  const members = world.nodes.filter(isMember).length;
  world.cluster.quorate = asked !== undefined && isMember(asked) && members * 2 > world.nodes.length;
}
