import type { Sim } from '../cluster/sim';
import { requestedState } from '../ha/guest-in-ha';
import { nodeState } from '../ha/manager';
import type { HaManager, HaResource, HaService } from '../world-ha';
import { isOverdue } from './fencing';
import { selectNode } from './placement';
import { changeState } from './service-state';

export interface Step {
  sim: Sim;
  manager: HaManager;
  resource: HaResource;
  service: HaService;
}

/** What the manager makes of one service in a round: the next state, until nothing follows at once. PVE: Manager.pm, next_state_… */
export function stepService(step: Step): void {
  for (let before = ''; before !== step.service.state;) {
    before = step.service.state;
    STEPS[before]?.(step);
  }
}

const wants = ({ resource }: Step): string => requestedState(resource);

/** Asks for the fence when the service's node is gone for too long. True then. */
function fenceIfOverdue({ sim, manager, service }: Step): boolean {
  if (!isOverdue(sim, manager, service.node)) return false;
  changeState(service, 'fence');
  return true;
}

const STEPS: Record<string, (step: Step) => void> = {
  request_start: ({ service }) => changeState(service, 'started'),
  started,
  request_stop: step => {
    const { service } = step;
    if (service.done) changeState(service, 'stopped');
    else fenceIfOverdue(step);
  },
  stopped: step => {
    const { sim, resource, service } = step;
    service.node = sim.world.guests[vmidOf(resource)]?.node ?? service.node;
    delete service.timeout;
    if (service.target !== undefined && travel(step)) return;
    if (wants(step) === 'disabled' || fenceIfOverdue(step)) return;
    if (wants(step) === 'started') changeState(service, 'request_start');
  },
  migrate: arrive,
  relocate: arrive,
  recovery: recover,
  error: step => {
    if (wants(step) !== 'disabled') return;
    step.service.failures = 0;
    delete step.service.failedNodes;
    changeState(step.service, 'stopped');
  },
};

const vmidOf = ({ sid }: HaResource): number => Number(sid.split(':')[1]);

function started(step: Step): void {
  const { manager, resource, service } = step;
  if (nodeState(manager, service.node) !== 'online') {
    fenceIfOverdue(step);
    return;
  }
  if (wants(step) !== 'started') return changeState(service, 'request_stop');
  if (service.target !== undefined && travel(step)) return;
  if (service.done) delete service.failedNodes;
  const failed = service.failures > Number(resource.settings['max_restart'] ?? 1);
  if (failed && !mayTryElsewhere(step)) return changeState(service, 'error');
  const node = selectNode(step, failed ? 'try-next' : 'none');
  if (node === undefined || node === service.node) return;
  Object.assign(service, { target: node, motion: 'migrate' });
  travel(step);
}

/** Notes that the service does not start here. False when it has been tried on enough nodes. */
function mayTryElsewhere({ resource, service }: Step): boolean {
  service.failures = 0;
  service.failedNodes = [...(service.failedNodes ?? []), service.node];
  return service.failedNodes.length <= Number(resource.settings['max_relocate'] ?? 1);
}

/** Begins the way to the target. False where the target will not do, and is forgotten. */
function travel({ manager, service }: Step): boolean {
  const { target, motion = 'migrate' } = service;
  if (target === undefined || nodeState(manager, target) !== 'online' || target === service.node) {
    delete service.target;
    return false;
  }
  changeState(service, motion);
  return true;
}

function arrive(step: Step): void {
  const { sim, resource, service } = step;
  if (service.done) {
    service.node = sim.world.guests[vmidOf(resource)]?.node ?? service.node;
    changeState(service, wants(step) === 'started' ? 'started' : 'request_stop');
  } else fenceIfOverdue(step);
}

/** The locks that a guest's fenced node can have left; they are taken away. */
const LEFT_LOCKS =
  'backup mounted migrate clone rollback snapshot snapshot-delete suspending suspended'.split(' ');

/** Takes a service over from its fenced node. Its configuration moves; what lies on the node's own disks stays there. */
function recover(step: Step): void {
  const { sim, resource, service } = step;
  const node = selectNode(step, 'best-score');
  const guest = sim.world.guests[vmidOf(resource)];
  if (node !== undefined && guest) {
    if (LEFT_LOCKS.includes(guest.config['lock'] ?? '')) delete guest.config['lock'];
    Object.assign(guest, { node, running: null });
    Object.assign(service, { node, failures: 0 });
    changeState(service, wants(step) === 'started' ? 'started' : 'request_stop');
  } else if (wants(step) === 'disabled') {
    delete service.failedNodes;
    changeState(service, 'stopped');
  }
}
