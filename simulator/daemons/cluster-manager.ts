import type { Sim } from '../cluster/sim';
import { motionOf } from '../ha/affinity';
import type { HaCommand, HaService, World } from '../world';
import { requestedState } from '../ha/guest-in-ha';
import { stepService } from './service-step';

/** A request is seen this long after it was made at the soonest (assumed). */
const PICK_UP_MS = 4_000;

/** One round of the cluster's resource manager: takes the waiting requests and moves each service one step on. */
export function managerRound(sim: Sim): void {
  const { ha, cluster } = sim.world;
  if (cluster && !cluster.quorate) return;
  adoptServices(sim);
  const due = ha.commands.filter(({ at }) => sim.clock.now() - at >= PICK_UP_MS);
  ha.commands = ha.commands.filter(command => !due.includes(command));
  due.forEach(command => take(sim, command));
  for (const [sid, service] of Object.entries(ha.services)) {
    const resource = ha.resources[sid];
    if (resource) stepService(sim, resource, service);
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

function take({ world }: Sim, { sid, kind, target, timeout }: HaCommand): void {
  const resource = world.ha.resources[sid];
  const service: HaService | undefined = world.ha.services[sid];
  if (!resource || !service) return;
  if (kind === 'stop') {
    resource.state = 'stopped';
    if (timeout !== undefined) service.timeout = timeout;
  } else if (target !== undefined) move(world, sid, target);
}

/** Sends a resource to a node, and what must be beside it; nothing when a resource that must not be is there. */
function move(world: World, sid: string, target: string): void {
  const { along, blockedBy } = motionOf(world, sid);
  if (blockedBy(target).length > 0) return;
  for (const each of [sid, ...along]) {
    const service = world.ha.services[each];
    if (service) service.target = target;
  }
}
