import type { Sim } from '../cluster/sim';
import type { HaResource, HaService } from '../world';
import { placeFor } from './placement';
import { requestedState } from '../ha/guest-in-ha';

/** How long a node may be silent before its guests are taken over (assumed). */
const FENCE_AFTER_MS = 60_000;

interface Step {
  sim: Sim;
  resource: HaResource;
  service: HaService;
}

/** What the manager makes of one service in a round: the next state, until nothing follows at once. */
export function stepService(sim: Sim, resource: HaResource, service: HaService): void {
  if (isLost({ sim, resource, service })) return;
  for (let before = ''; before !== service.state;) {
    before = service.state;
    STEPS[service.state]?.({ sim, resource, service });
  }
}

function change(service: HaService, state: string): void {
  service.state = state;
  service.done = false;
  delete service.upid;
}

const STEPS: Record<string, (step: Step) => void> = {
  request_start: ({ service }) => change(service, 'started'),
  started: step => {
    const { sim, resource, service } = step;
    if (requestedState(resource) !== 'started') return change(service, 'request_stop');
    if (service.target !== undefined) return travel(step, 'migrate');
    if (service.failures > Number(resource.settings['max_restart'] ?? 1)) return giveUp(step);
    const wanted = placeFor(sim, resource);
    if (wanted === undefined || wanted === service.node || resource.settings['failback'] === '0') return;
    service.target = wanted;
    travel(step, 'migrate');
  },
  request_stop: ({ resource, service }) => {
    if (service.done) change(service, requestedState(resource) === 'started' ? 'request_start' : 'stopped');
  },
  stopped: step => {
    const { resource, service } = step;
    delete service.timeout;
    if (service.target !== undefined) travel(step, 'migrate');
    else if (requestedState(resource) === 'started') change(service, 'request_start');
  },
  migrate: arrive,
  relocate: arrive,
  recovery: ({ sim, resource, service }) => {
    const node = placeFor(sim, resource);
    const guest = sim.world.guests[Number(resource.sid.split(':')[1])];
    if (node === undefined || !guest) return;
    // the configuration is taken over; what lies on the lost node's own disks stays there
    guest.node = node;
    guest.running = null;
    service.node = node;
    service.failures = 0;
    change(service, requestedState(resource) === 'started' ? 'started' : 'request_stop');
  },
  error: ({ resource, service }) => {
    service.failures = 0;
    if (requestedState(resource) === 'disabled') change(service, 'request_stop');
  },
};

function travel({ sim, service }: Step, state: 'migrate' | 'relocate'): void {
  const target = sim.world.nodes.find(({ name }) => name === service.target);
  if (!target?.online || target.name === service.node) delete service.target;
  else change(service, state);
}

function arrive({ sim, resource, service }: Step): void {
  if (!service.done) return;
  const guest = sim.world.guests[Number(resource.sid.split(':')[1])];
  service.node = guest?.node ?? service.node;
  delete service.target;
  change(service, requestedState(resource) === 'started' ? 'started' : 'request_stop');
}

/** A guest that does not start is tried on another node, and given up when there is none. */
function giveUp(step: Step): void {
  const { sim, resource, service } = step;
  const other = placeFor(sim, resource, service.node);
  if (other === undefined || Number(resource.settings['max_relocate'] ?? 1) === 0)
    return change(service, 'error');
  service.failures = 0;
  service.target = other;
  travel(step, 'relocate');
}

/** Takes over the services of a node that is gone for too long. True while the node is gone. */
function isLost({ sim, service }: Step): boolean {
  const node = sim.world.nodes.find(({ name }) => name === service.node);
  if (node?.online) {
    delete service.lostAt;
    return false;
  }
  const now = sim.clock.now();
  service.lostAt ??= now;
  if (service.state === 'fence') {
    change(service, 'recovery');
    return false;
  }
  if (service.state === 'recovery') return false;
  if (now - service.lostAt >= FENCE_AFTER_MS) change(service, 'fence');
  return true;
}
