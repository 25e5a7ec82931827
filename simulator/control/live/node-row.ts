import { isMember } from '../../cluster/quorum';
import { memoryBytes } from '../../guest/qemu/memory';
import type { Guest, Node } from '../../world';

/** What the guests of a node that run take of it. */
export interface Load {
  guests: number;
  running: number;
  cores: number;
  memory: number;
}

export const noLoad = (): Load => ({ guests: 0, running: 0, cores: 0, memory: 0 });

export function addLoad(load: Load, { config, running }: Guest): void {
  load.guests += 1;
  if (!running) return;
  load.running += 1;
  load.cores += Number(config['cores'] ?? 1) * Number(config['sockets'] ?? 1);
  load.memory += memoryBytes(config['memory']);
}

/** What the page shows of a node. */
export function nodeRow(node: Node, load: Load): object {
  const { name, cpus, memory } = node;
  return { name, state: stateOf(node), left: node.left === true, cpus, memory, load };
}

function stateOf(node: Node): string {
  if (!node.online) return 'down';
  if (!isMember(node)) return 'out of the cluster';
  return node.apiUp ? 'up' : 'API down';
}
