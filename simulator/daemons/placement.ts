import type { Sim } from '../cluster/sim';
import type { HaResource } from '../world';
import { activeRules, nodesOf, resourcesOf } from '../ha/rule';

/**
 * The node that the rules want a resource on: the present one where they allow it, else the one with the fewest
 * services. Undefined when no node will do. `avoid` is never the answer.
 */
export function placeFor(sim: Sim, { sid }: HaResource, avoid?: string): string | undefined {
  const { nodes, ha } = sim.world;
  const online = nodes.filter(node => node.online && node.name !== avoid).map(({ name }) => name);
  const best = byResources(sim, sid, byNodes(sim, sid, online));
  const present = ha.services[sid]?.node;
  if (present !== undefined && best.includes(present)) return present;
  const load = (node: string): number =>
    Object.values(ha.services).filter(service => service.node === node).length;
  return [...best].sort((one, other) => load(one) - load(other))[0];
}

/** Keeps the nodes of the highest priority; a rule that is not strict falls back to all. */
function byNodes({ world }: Sim, sid: string, online: string[]): string[] {
  const rule = activeRules(world, 'node-affinity').find(([, each]) => resourcesOf(each).includes(sid))?.[1];
  if (!rule) return online;
  const priorities = nodesOf(rule);
  const named = online.filter(node => priorities.has(node));
  if (named.length === 0) return rule.settings['strict'] === '1' ? [] : online;
  const highest = Math.max(...named.map(node => priorities.get(node) ?? 0));
  return named.filter(node => priorities.get(node) === highest);
}

/** Keeps resources together, or apart, as their rules say. */
function byResources({ world }: Sim, sid: string, nodes: string[]): string[] {
  let left = nodes;
  for (const [, rule] of activeRules(world, 'resource-affinity')) {
    const members = resourcesOf(rule);
    if (!members.includes(sid)) continue;
    const taken = members.flatMap(member => (member === sid ? [] : (world.ha.services[member]?.node ?? [])));
    if (taken.length === 0) continue;
    const isTogether = rule.settings['affinity'] === 'positive';
    // of two that must be apart the first may stay; of two that must be together the second moves
    const first = members[0] === sid;
    if (isTogether && !first) left = left.filter(node => node === taken[0]);
    if (!isTogether && !first) left = left.filter(node => !taken.includes(node));
  }
  return left;
}
