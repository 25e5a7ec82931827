import type { Sim } from '../cluster/sim';
import type { Node } from '../world';

const GiB = 1024 ** 3;

/** Load, memory, root disk and uptime of a node. Only the sizes and the uptime mean something. */
export function nodeFigures(sim: Sim, node: Node): Record<string, number> {
  return {
    cpu: 0.02,
    maxcpu: node.cpus,
    mem: Math.floor(node.memory / 8),
    maxmem: node.memory,
    disk: 6 * GiB,
    maxdisk: 100 * GiB,
    uptime: uptimeOf(sim, node),
  };
}

/** Seconds since the node booted. */
function uptimeOf(sim: Sim, node: Node): number {
  return Math.max(0, Math.floor(sim.clock.now() / 1000) - node.bootedAt);
}
