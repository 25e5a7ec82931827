import type { Sim } from '../cluster/sim';
import { nodeState } from '../ha/manager';
import type { HaManager } from '../world-ha';
import { changeState } from './service-state';

/** How long a node may be silent before it is to be fenced. PVE: NodeStatus.pm, $fence_delay. */
const FENCE_DELAY_MS = 60_000;
/** A node counts as fenced when its own lock has run out: its watchdog has reset it by then. */
const LOCK_MS = 120_000;

/** Whether the services of a node may be taken over soon: it is not there, for a minute. */
export function isOverdue({ clock }: Sim, manager: HaManager, node: string): boolean {
  const seenAt = manager.nodes[node]?.seenAt ?? clock.now();
  return nodeState(manager, node) !== 'online' && clock.now() - seenAt >= FENCE_DELAY_MS;
}

/** Fences the nodes whose services ask for it. True when a node was: its services are to be recovered now. */
export function fenceNodes(sim: Sim, manager: HaManager): boolean {
  const waiting = Object.values(sim.world.ha.services).filter(({ state }) => state === 'fence');
  for (const { node } of waiting) {
    const known = manager.nodes[node];
    if (known) known.state = 'fence';
  }
  const fenced = Object.entries(manager.nodes).flatMap(([name, { state, seenAt }]) =>
    state === 'fence' && sim.clock.now() - seenAt >= LOCK_MS ? [name] : [],
  );
  fenced.forEach(name => reset(sim, manager, name));
  const recovered = waiting.filter(({ node }) => fenced.includes(node));
  recovered.forEach(service => changeState(service, 'recovery'));
  return recovered.length > 0;
}

/** The node's watchdog has fired: its guests do not run any more, also where it was only cut off. */
function reset({ world }: Sim, manager: HaManager, name: string): void {
  const [node, known] = [world.nodes.find(each => each.name === name), manager.nodes[name]];
  if (known) known.state = 'unknown';
  if (!node?.left) return;
  for (const guest of Object.values(world.guests)) if (guest.node === name) guest.running = null;
}
