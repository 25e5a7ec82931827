import type { Sim } from '../cluster/sim';
import { isMember } from '../cluster/quorum';
import { affinitiesOf } from '../ha/affinity';
import { failsBack } from '../ha/groups';
import { nodeState } from '../ha/manager';
import { activeRules, nodesOf, resourcesOf } from '../ha/rule';
import { ruleErrors } from '../ha/rule-errors';
import type { World } from '../world';
import type { HaManager, HaResource, HaService } from '../world-ha';

interface Asked {
  sim: Sim;
  manager: HaManager;
  resource: HaResource;
  service: HaService;
}

/**
 * The node for a service by the rules that can hold; undefined when no node will do. `none` stays where it is if that is
 * allowed, `best-score` takes the node with the fewest guests, `try-next` one where it has not failed.
 * PVE: Manager.pm, select_service_node
 */
export function selectNode(asked: Asked, prefer: 'none' | 'best-score' | 'try-next'): string | undefined {
  const { sim, manager, resource, service } = asked;
  const online = sim.world.nodes.flatMap(({ name }) => (nodeState(manager, name) === 'online' ? [name] : []));
  const { allowed, preferred } = byNodes(sim.world, resource.sid, online);
  if (preferred.length === 0) return undefined;
  const { beside, apart } = neighbours(sim.world, resource.sid, online);
  const staysAnywhere = prefer === 'none' && !failsBack(sim.world, resource.settings);
  const isFree = beside.has(service.node) || !apart.has(service.node);
  if (staysAnywhere && allowed.includes(service.node) && isFree) return service.node;
  const tried = prefer === 'try-next' ? (service.failedNodes ?? []) : [];
  const left = byNeighbours(
    preferred.filter(node => !tried.includes(node) && !apart.has(node)),
    beside,
  );
  if (prefer === 'none' && left.includes(service.node)) return service.node;
  const best = leastUsed(sim.world, left);
  const at = best.indexOf(service.node);
  return prefer === 'try-next' && at !== -1 && at < best.length - 1 ? best[at + 1] : best[0];
}

/** The nodes that are allowed, and of them those of the highest priority. A rule that is not strict allows all. */
function byNodes(world: World, sid: string, online: string[]): { allowed: string[]; preferred: string[] } {
  const errors = ruleErrors(world);
  const family = [sid, ...affinitiesOf(world, sid).together];
  const rule = activeRules(world, 'node-affinity').find(
    ([id, each]) => !errors[id] && resourcesOf(each).some(member => family.includes(member)),
  )?.[1];
  if (!rule) return { allowed: online, preferred: online };
  const priorities = nodesOf(rule);
  const priority = (node: string): number => priorities.get(node) ?? -1;
  const isStrict = rule.settings['strict'] === '1';
  const allowed = online.filter(node => !isStrict || priorities.has(node));
  const highest = Math.max(...allowed.map(priority));
  return { allowed, preferred: allowed.filter(node => priority(node) === highest) };
}

/** Where those are that this one must be with, each with their number, and those that it must not be with. */
function neighbours(
  world: World,
  sid: string,
  online: string[],
): { beside: Map<string, number>; apart: Set<string> } {
  const { together, apart } = affinitiesOf(world, sid);
  const beside = new Map<string, number>();
  for (const each of together) {
    const [node] = usedNodes(world.ha.services[each], online).reverse();
    if (node !== undefined) beside.set(node, (beside.get(node) ?? 0) + 1);
  }
  return { beside, apart: new Set(apart.flatMap(each => usedNodes(world.ha.services[each], online))) };
}

/** Only the node with most of those that this one must be with, where one of them is left. */
function byNeighbours(nodes: string[], beside: Map<string, number>): string[] {
  const most = Math.max(...nodes.map(node => beside.get(node) ?? 0));
  return most > 0
    ? nodes
        .filter(node => beside.get(node) === most)
        .sort()
        .slice(0, 1)
    : nodes;
}

/** The nodes that a service uses: its own, then the one that it is on the way to. */
function usedNodes(service: HaService | undefined, online: string[]): string[] {
  if (!service || service.state === 'stopped' || service.state === 'request_start') return [];
  const { node, target } = service;
  return [node, ...(target === undefined ? [] : [target])].filter(each => online.includes(each));
}

/** Nodes by how many guests they carry, then by name. */
function leastUsed({ ha, guests, nodes }: World, candidates: string[]): string[] {
  const online = nodes.filter(isMember).map(({ name }) => name);
  const used = Object.values(ha.services).flatMap(service => usedNodes(service, online));
  const others = Object.values(guests).flatMap(({ vmid, node, running }) =>
    running && !ha.services[`vm:${vmid}`] && !ha.services[`ct:${vmid}`] ? [node] : [],
  );
  const load = (node: string): number => [...used, ...others].filter(each => each === node).length;
  return [...candidates].sort((one, other) => load(one) - load(other) || (one < other ? -1 : 1));
}
