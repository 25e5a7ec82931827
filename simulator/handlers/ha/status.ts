import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { requestedState } from '../../ha/guest-in-ha';
import type { Sim } from '../../cluster/sim';
import type { HaResource, HaService } from '../../world';

const GROUP_VERBS: Record<string, string> = {
  'GET /cluster/ha/groups': 'cannot index groups',
  'POST /cluster/ha/groups': 'cannot create group',
  'GET /cluster/ha/groups/{group}': 'cannot read group',
  'PUT /cluster/ha/groups/{group}': 'cannot update group',
  'DELETE /cluster/ha/groups/{group}': 'cannot delete group',
};

const groupHandlers: HandlerTable = Object.fromEntries(
  Object.entries(GROUP_VERBS).map(([route, text]) => [
    route,
    () => fail(`${text}: ha groups have been migrated to rules`),
  ]),
);

export const haStatusHandlers: HandlerTable = {
  ...groupHandlers,
  'GET /cluster/ha/status/current': call => [
    quorumRow(call),
    ...managerRows(call),
    ...nodeRows(call),
    ...serviceRows(call),
  ],
  'GET /cluster/ha/status/manager_status': call => managerStatus(call),
};

const seconds = (sim: Sim): number => Math.floor(sim.clock.now() / 1000);

/** The manager's node: the last that is online (assumed; in Proxmox the first to get the lock). */
function masterOf({ world }: Sim): string {
  return (world.nodes.filter(({ online }) => online).at(-1) ?? world.nodes[0])?.name ?? '';
}

function isQuorate({ world }: Sim): boolean {
  return world.cluster?.quorate ?? true;
}

function quorumRow({ sim, node }: Call): Record<string, unknown> {
  const quorate = isQuorate(sim);
  const status = quorate ? 'OK' : `No quorum on node '${node}'!`;
  return { id: 'quorum', type: 'quorum', node, status, quorate: quorate ? 1 : 0 };
}

function timeText(sim: Sim): string {
  const [, weekday, day, month, year, time] =
    /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(sim.clock.now()).toUTCString()) ?? [];
  return `${weekday} ${month} ${Number(day)} ${time} ${year}`.replace(/ (\d) /, '  $1 ');
}

function managerRows({ sim }: Call): Record<string, unknown>[] {
  const node = masterOf(sim);
  const isActive = Object.keys(sim.world.ha.services).length > 0;
  const armed = isActive ? 'armed' : 'standby';
  const status = isActive ? 'active' : 'idle';
  return [
    {
      id: 'master',
      type: 'master',
      node,
      status: `${node} (${status}, ${timeText(sim)})`,
      timestamp: seconds(sim),
    },
    {
      id: 'fencing',
      type: 'fencing',
      node,
      status: isActive ? 'armed (CRM watchdog active)' : 'standby (CRM watchdog standby)',
      'armed-state': armed,
    },
  ];
}

function nodeRows({ sim }: Call): Record<string, unknown>[] {
  const active = new Set(Object.values(sim.world.ha.services).map(({ node }) => node));
  return sim.world.nodes.map(({ name, online }) => {
    const working = active.has(name) ? 'active, watchdog active' : 'idle, watchdog standby';
    const state = online ? working : 'old timestamp - dead?';
    const status = `${name} (${state}, ${timeText(sim)})`;
    return { id: `lrm:${name}`, type: 'lrm', node: name, status, timestamp: seconds(sim) };
  });
}

function serviceRows({ sim }: Call): Record<string, unknown>[] {
  const { resources, services } = sim.world.ha;
  const gone = Object.keys(services).filter(sid => !resources[sid]);
  return [...Object.keys(resources), ...gone]
    .sort()
    .map(sid => serviceRow(sim, sid, resources[sid], services[sid]));
}

function serviceRow(
  sim: Sim,
  sid: string,
  resource: HaResource | undefined,
  service: HaService | undefined,
): Record<string, unknown> {
  const guest = sim.world.guests[Number(sid.split(':')[1])];
  const node = service?.node ?? guest?.node;
  const state = verboseState(sim, sid, resource, service);
  return {
    id: `service:${sid}`,
    type: 'service',
    sid,
    node,
    state,
    status: `${sid} (${node ?? '---'}, ${state})`,
    ...(service && { crm_state: service.state }),
    ...(resource && settingsOf(resource)),
  };
}

function settingsOf(resource: HaResource): Record<string, unknown> {
  const { comment, failback = '1', max_relocate: moves = '1', max_restart: starts = '1' } = resource.settings;
  return {
    request_state: requestedState(resource),
    failback: Number(failback),
    max_relocate: Number(moves),
    max_restart: Number(starts),
    ...(comment !== undefined && { comment }),
  };
}

/** The state in a word that follows a request at once, before the manager does. */
function verboseState(
  { world }: Sim,
  sid: string,
  resource: HaResource | undefined,
  service: HaService | undefined,
): string {
  if (!resource) return 'deleting';
  const wanted = requestedState(resource);
  if (wanted === 'ignored') return 'ignored';
  if (!service) return 'queued';
  const runs = world.guests[Number(sid.split(':')[1])]?.running !== null;
  if (service.state === 'stopped' && wanted === 'started') return 'starting';
  if (service.state === 'stopped' && wanted === 'disabled') return 'disabled';
  if (service.state === 'started' && wanted !== 'started') return 'stopping';
  if (service.state === 'started' && !runs) return 'starting';
  if (service.state === 'error' && wanted === 'disabled') return 'clearing error flag';
  return service.state;
}

function managerStatus({ sim, node }: Call): Record<string, unknown> {
  const { services } = sim.world.ha;
  const timestamp = seconds(sim);
  const told = Object.entries(services).map(([sid, { state, node: at, target, done }]) => [
    sid,
    { state, node: at, running: done ? 1 : 0, ...(target !== undefined && { target }) },
  ]);
  const nodes = sim.world.nodes.map(({ name, online }) => [name, online ? 'online' : 'unknown']);
  const local = sim.world.nodes.map(({ name }) => [
    name,
    { mode: 'active', state: 'active', timestamp, results: {} },
  ]);
  return {
    manager_status: {
      master_node: masterOf(sim),
      timestamp,
      node_status: Object.fromEntries(nodes),
      service_status: Object.fromEntries(told),
    },
    quorum: { node, quorate: isQuorate(sim) ? 1 : 0 },
    lrm_status: Object.fromEntries(local),
  };
}
