import type { Sim } from './sim';
import { isMember } from './quorum';
import type { Node } from '../world';

/** Whether one node takes another for online. Without quorum a node sees nobody but itself. */
export function seenOnline(sim: Sim, from: string, node: Node): boolean {
  if (node.name === from) return true;
  return isMember(node) && (sim.world.cluster?.quorate ?? false);
}
