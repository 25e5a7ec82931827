import type { Sim } from '../cluster/sim';
import { hasQuorum, isMember } from '../cluster/quorum';
import { motionOf } from '../ha/affinity';
import { nodeState } from '../ha/manager';
import type { World } from '../world';
import type { HaCommand, HaManager, HaService } from '../world-ha';
import { requestedState } from '../ha/guest-in-ha';
import { fenceNodes } from './fencing';
import { stepService } from './service-step';

/** A request is seen this long after it was made at the soonest (assumed). */
const PICK_UP_MS = 4_000;
/** A manager whose node is gone is replaced when its lock has run out. */
const LOCK_MS = 120_000;
/** With nothing to care for it goes on for 90 rounds. PVE: CRM.pm, $max_active_idle_rounds. */
const IDLE_MS = 900_000;

/** One round of the cluster's resource manager: takes the waiting requests and moves each service one step on. */
export function managerRound(sim: Sim): void {
  const { ha } = sim.world;
  const now = sim.clock.now();
  if (!hasQuorum(sim.world)) return;
  const isBusy = Object.keys(ha.resources).length + Object.keys(ha.services).length > 0;
  if (isBusy ? now < (ha.wakesAt ?? 0) : now - (ha.manager?.busyAt ?? -Infinity) > IDLE_MS) return;
  const manager = managerNow(sim);
  if (!manager) return;
  noteNodes(sim, manager);
  if (ha.disarmed) {
    ha.disarmed.done = true;
    manager.at = now;
    return;
  }
  adoptServices(sim);
  const due = ha.commands.filter(({ at }) => now - at >= PICK_UP_MS);
  ha.commands = ha.commands.filter(command => !due.includes(command));
  due.forEach(command => take(sim, manager, command));
  stepServices(sim, manager);
  manager.at = now;
  if (isBusy) manager.busyAt = now;
}

/** The manager, on another node when its own is gone; undefined while the lock of the old one holds. */
function managerNow({ world, clock }: Sim): HaManager | undefined {
  const now = clock.now();
  const old = world.ha.manager;
  const members = world.nodes.filter(isMember);
  if (old && members.some(({ name }) => name === old.node)) return old;
  if (old && now - old.at < LOCK_MS) return undefined;
  // which node gets the lock is chance in Proxmox; here the last one (assumed)
  const node = members.at(-1)?.name;
  if (node === undefined) return undefined;
  // a new manager does not know since when a node is gone
  const nodes = Object.entries(old?.nodes ?? {}).map(([name, { state }]) => [name, { state, seenAt: now }]);
  world.ha.manager = { node, at: now, busyAt: now, nodes: Object.fromEntries(nodes) };
  return world.ha.manager;
}

/** Which nodes are there. One that is to be fenced stays so until it is. PVE: NodeStatus.pm */
function noteNodes({ world, clock }: Sim, { nodes }: HaManager): void {
  for (const node of world.nodes) {
    const known = (nodes[node.name] ??= { state: 'unknown', seenAt: clock.now() });
    if (known.state === 'fence') continue;
    known.state = isMember(node) ? 'online' : 'unknown';
    if (isMember(node)) known.seenAt = clock.now();
  }
}

/** Takes new resources on and lets go of those that are gone or ignored. */
function adoptServices({ world }: Sim): void {
  const { resources, services } = world.ha;
  for (const [sid, resource] of Object.entries(resources)) {
    const guest = world.guests[Number(sid.split(':')[1])];
    if (services[sid] || !guest || requestedState(resource) === 'ignored') continue;
    const state = requestedState(resource) === 'started' ? 'request_start' : 'request_stop';
    services[sid] = { state, node: guest.node, done: false, failures: 0 };
  }
  for (const sid of Object.keys(services)) {
    const resource = resources[sid];
    if (!resource || requestedState(resource) === 'ignored') delete services[sid];
  }
}

/** Moves each service on until nothing follows at once, also what is recovered from a node that was fenced. */
function stepServices(sim: Sim, manager: HaManager): void {
  const { resources, services } = sim.world.ha;
  for (let again = true; again;) {
    for (const sid of Object.keys(services).sort()) {
      const [resource, service] = [resources[sid], services[sid]];
      if (resource && service) stepService({ sim, manager, resource, service });
    }
    again = fenceNodes(sim, manager);
  }
}

function take({ world }: Sim, manager: HaManager, { sid, kind, target, timeout }: HaCommand): void {
  const resource = world.ha.resources[sid];
  const service: HaService | undefined = world.ha.services[sid];
  if (!resource || !service) return;
  if (kind === 'stop') {
    resource.state = 'stopped';
    if (timeout !== undefined) service.timeout = timeout;
  } else if (target !== undefined && nodeState(manager, target) === 'online') move(world, sid, target, kind);
}

/** Sends a resource to a node, and what must be beside it; nothing when a resource that must not be is there. */
function move(world: World, sid: string, target: string, kind: 'migrate' | 'relocate'): void {
  const { along, blockedBy } = motionOf(world, sid);
  if (blockedBy(target).length > 0) return;
  for (const each of [sid, ...along]) {
    const service = world.ha.services[each];
    if (service) Object.assign(service, { target, motion: kind });
  }
}
