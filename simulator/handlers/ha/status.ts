import { createHash } from 'node:crypto';
import { isRelease8 } from '../../cluster/release';
import { hasQuorum } from '../../cluster/quorum';
import type { Call, HandlerTable } from '../../cluster/call';
import { requestedState } from '../../ha/guest-in-ha';
import type { Sim } from '../../cluster/sim';
import type { World } from '../../world';
import type { HaResource, HaService } from '../../world-ha';

export const haStatusHandlers: HandlerTable = {
  'GET /cluster/ha/status/current': call => [
    quorumRow(call),
    ...managerRows(call),
    ...nodeRows(call),
    ...serviceRows(call),
  ],
  'GET /cluster/ha/status/manager_status': call => managerStatus(call),
};

const inSeconds = (ms: number): number => Math.floor(ms / 1000);

function quorumRow({ sim, node }: Call): Record<string, unknown> {
  const quorate = hasQuorum(sim.world);
  const status = quorate ? 'OK' : `No quorum on node '${node}'!`;
  return { id: 'quorum', type: 'quorum', node, status, quorate: quorate ? 1 : 0 };
}

function timeText(ms: number): string {
  const [, weekday, day, month, year, time] =
    /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(ms).toUTCString()) ?? [];
  return `${weekday} ${month} ${Number(day)} ${time} ${year}`.replace(/ (\d) /, '  $1 ');
}

/** What Proxmox makes of the time that a file was written. */
function freshness(sim: Sim, at: number): string {
  return inSeconds(sim.clock.now()) - inSeconds(at) > 30 ? 'old timestamp - dead?' : 'active';
}

/** A row for the manager, where it has ever acted, and one for its watchdog. */
function managerRows({ sim, node: asked }: Call): Record<string, unknown>[] {
  const { manager, resources } = sim.world.ha;
  const is8 = isRelease8(sim.world);
  const said = manager ? freshness(sim, manager.at) : undefined;
  const isIdle = said !== 'active' && hasQuorum(sim.world) && Object.keys(resources).length === 0;
  const isActive = said === 'active' && !sim.world.ha.disarmed;
  const load = /(?:^|,)ha=(static|dynamic)/.exec(sim.world.datacenter['crs'] ?? '')?.[1];
  const fencing = {
    id: 'fencing',
    type: 'fencing',
    node: manager?.node ?? asked,
    status: isActive ? 'armed (CRM watchdog active)' : 'standby (CRM watchdog standby)',
    'armed-state': isActive ? 'armed' : 'standby',
    ...disarmedState(sim),
  };
  if (!manager) return is8 ? [] : [fencing];
  const { node, at } = manager;
  const extra = load === undefined ? '' : ` - ${load} load CRS`;
  const status = `${node} (${isIdle ? 'idle' : said}, ${timeText(at)})${extra}`;
  const master = { id: 'master', type: 'master', node, status, timestamp: inSeconds(at) };
  return is8 ? [master] : [master, fencing];
}

/** What the watchdog's row says of an HA that was disarmed. Nobody recorded it: the words are assumed. */
function disarmedState({ world: { ha } }: Sim): Record<string, string> {
  if (!ha.disarmed) return {};
  const { mode } = ha.disarmed;
  const state = ha.disarmed.done || !ha.manager ? 'disarmed' : 'disarming';
  return { status: `${state} (resource mode: ${mode})`, 'armed-state': state, resource_mode: mode };
}

/** A row for each node that the manager knows, with the time of the node's last word. */
function nodeRows({ sim }: Call): Record<string, unknown>[] {
  return localStates(sim).map(({ node, state, at }) => {
    const fresh = freshness(sim, at);
    const working = state === 'active' ? 'active, watchdog active' : 'idle, watchdog standby';
    const said = fresh === 'active' ? working : `${fresh}, watchdog standby`;
    // release 8 says nothing of watchdogs
    const shown = isRelease8(sim.world) ? said.replace(/, watchdog \w+$/, '') : said;
    const status = `${node} (${shown}, ${timeText(at)})`;
    return { id: `lrm:${node}`, type: 'lrm', node, status, timestamp: inSeconds(at) };
  });
}

/** States of services that keep a node's own manager at work. PVE: Tools.pm, count_active_services */
const isActive = ({ state }: HaService): boolean => !['stopped', 'error', 'request_start'].includes(state);

function localStates({ world, clock }: Sim): { node: string; state: string; at: number }[] {
  const services = Object.values(world.ha.services).filter(isActive);
  return Object.entries(world.ha.manager?.nodes ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([node, { seenAt }]) => {
      const works = services.some(service => service.node === node || service.target === node);
      const isUp = world.nodes.some(({ name, online }) => name === node && online);
      return { node, state: works ? 'active' : 'wait_for_agent_lock', at: isUp ? clock.now() : seenAt };
    });
}

/** What the manager cares for, then what it has not seen yet. */
function serviceRows({ sim }: Call): Record<string, unknown>[] {
  const { resources, services } = sim.world.ha;
  const unseen = Object.keys(resources).filter(sid => !services[sid]);
  return [...Object.keys(services).sort(), ...unseen.sort()].map(sid =>
    serviceRow(sim, sid, resources[sid], services[sid]),
  );
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
    ...(node !== undefined && { node }),
    state,
    status: `${sid} (${node ?? '---'}, ${state})`,
    ...(service && { crm_state: service.state }),
    ...(resource && settingsOf(sim.world, resource)),
  };
}

function settingsOf(world: World, resource: HaResource): Record<string, unknown> {
  const {
    comment,
    group,
    failback = '1',
    max_relocate: moves = '1',
    max_restart: starts = '1',
  } = resource.settings;
  return {
    request_state: requestedState(resource),
    ...(!isRelease8(world) && { failback: Number(failback) }),
    max_relocate: Number(moves),
    max_restart: Number(starts),
    ...(isRelease8(world) && group !== undefined && { group }),
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
  const guest = world.guests[Number(sid.split(':')[1])];
  if (wanted === 'ignored') return 'ignored';
  if (!guest) return 'not found';
  if (!service) return 'queued';
  const runs = guest.running !== null;
  if (service.state === 'stopped' && wanted === 'started') return 'starting';
  if (service.state === 'stopped' && wanted === 'disabled') return 'disabled';
  if (service.state === 'started' && wanted !== 'started') return 'stopping';
  if (service.state === 'started' && !runs) return 'starting';
  if (service.state === 'error' && wanted === 'disabled') return 'clearing error flag';
  return service.state;
}

function managerStatus({ sim, node }: Call): Record<string, unknown> {
  const { manager, services } = sim.world.ha;
  const quorum = { node, quorate: hasQuorum(sim.world) ? 1 : 0 };
  if (!manager) return { manager_status: {}, quorum };
  const nodes = Object.entries(manager.nodes).map(([name, { state }]) => [name, state]);
  const told = Object.entries(services).map(([sid, service]) => [sid, toldOf(sid, service)]);
  const local = localStates(sim).map(({ node: name, state, at }) => [
    name,
    { mode: 'active', state, timestamp: inSeconds(at), results: {} },
  ]);
  return {
    manager_status: {
      master_node: manager.node,
      timestamp: inSeconds(manager.at),
      node_status: Object.fromEntries(nodes),
      service_status: Object.fromEntries(told),
    },
    quorum,
    lrm_status: Object.fromEntries(local),
  };
}

/** A service in the manager's own file. */
function toldOf(sid: string, service: HaService): Record<string, unknown> {
  const { state, node, target, failedNodes, done } = service;
  return {
    state,
    node,
    uid: createHash('md5').update(`${sid} ${state} ${node}`).digest('base64').replace(/=+$/, ''),
    ...(state === 'started' && done && { running: 1 }),
    ...(target !== undefined && { target }),
    ...(failedNodes && { failed_nodes: failedNodes }),
  };
}
