import type { Sim } from '../cluster/sim';
import type { World } from '../world';
import type { HaManager, HaResource } from '../world-ha';

/** How long a manager that slept needs until it acts (assumed: Proxmox looks every five seconds). */
const WAKE_MS = 4_000;

/** Puts a resource among those that the manager has to care for, and wakes it for the first one. */
export function addHaResource({ world, clock }: Sim, resource: HaResource): void {
  if (Object.keys(world.ha.resources).length === 0) world.ha.wakesAt = clock.now() + WAKE_MS;
  world.ha.resources[resource.sid] = resource;
}

/**
 * The nodes that the manager has told of. None before it acts, so that each rule that keeps resources apart is one
 * too many (recording h1). Assumed: it forgets them when the last resource goes; Proxmox keeps them in its file.
 */
export function knownNodes({ ha, nodes }: World): string[] {
  const { manager, wakesAt } = ha;
  const acts = wakesAt === undefined || (manager !== undefined && manager.at >= wakesAt);
  return acts ? nodes.map(({ name }) => name) : [];
}

/** The manager's word for a node. */
export function nodeState(manager: HaManager | undefined, node: string): string {
  return manager?.nodes[node]?.state ?? 'unknown';
}
