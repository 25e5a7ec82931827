import type { Cause } from '../action';
import { counted } from '../errors';
import { isImported, bridgeOf, inOneUnit, MiB, type FleetMachine } from '../../spec';
import { enemyOn, groupElsewhere } from './neighbours';
import { importStorages } from './import-storages';
import type { ObservedNode } from '../observed';
import { hidesBridge, hidesStorage } from '../privileges/hidden';
import {
  comingTo,
  fleetOn,
  guestCount,
  reservedMemory,
  saidOf,
  type PlacementFacts,
} from './placement-facts';
import { isCloned } from '../mark/image-words';
import { bridgeWays, importWays, storageWays } from './ways-out';

/** Why a node cannot take a machine. */
export interface Unfit {
  reason: string;
  cause?: Cause;
  /** All that helps, where one reason decides for all nodes. */
  remedy?: string;
  /** What helps on this node, each one a way of its own: it names the field. */
  ways?: readonly string[];
}
type Check = (machine: FleetMachine, node: ObservedNode, facts: PlacementFacts) => string | Unfit | undefined;

interface Row {
  says: Check;
  turnsWithOthers?: true;
  /** What helps, where the check itself does not say it. */
  ways?: readonly string[];
}

/** Why a node cannot take a machine, in the order in which it is told. Where its image comes from is told elsewhere. */
const CHECKS: readonly Row[] = [
  {
    says: (_, { name }, { clusterSpec }) =>
      clusterSpec.nodes && !clusterSpec.nodes.includes(name) ? "not among the cluster's nodes" : undefined,
  },
  {
    says: ({ placement }, { name }) =>
      placement?.nodes && !placement.nodes.includes(name) ? 'not among placement.nodes' : undefined,
    ways: ['allow another node in placement.nodes'],
  },
  { says: (_, { online }) => (online ? undefined : 'offline') },
  { says: (_, { maintenance }) => (maintenance ? 'in maintenance' : undefined) },
  {
    says: (_, { name }, facts) =>
      saidOf(facts, name)?.schedulable === false ? 'not schedulable: nothing new is placed there' : undefined,
  },
  { says: selector, ways: ['ask for other labels in placement.nodeSelector', 'label a node'] },
  { says: guests, turnsWithOthers: true, ways: ['allow more guests on a node'] },
  { says: processors, ways: ['ask for less in cpu'] },
  { says: memory, turnsWithOthers: true, ways: ['ask for less in memory', 'make room on a node'] },
  { says: storages, turnsWithOthers: true },
  { says: importing },
  { says: bridges },
  {
    says: (machine, { name }, facts) => {
      const enemy = enemyOn(machine, name, facts);
      return enemy === undefined ? undefined : `kept apart from '${enemy}' by antiAffinity`;
    },
    turnsWithOthers: true,
    ways: ['change placement.antiAffinity'],
  },
  { says: group, turnsWithOthers: true },
];

/** The first reason why a node cannot take a machine; undefined when it can. */
export const objection = firstOf(CHECKS);
/** The same, of the checks alone whose answer turns with what else is placed. */
export const crowding = firstOf(CHECKS.filter(({ turnsWithOthers }) => turnsWithOthers));

function firstOf(checks: typeof CHECKS): (...asked: Parameters<Check>) => Unfit | undefined {
  return (machine, node, facts) => {
    for (const { says, ways } of checks) {
      const said = says(machine, node, facts);
      if (said === undefined) continue;
      return { ...(ways && { ways }), ...(typeof said === 'string' ? { reason: said } : said) };
    }
    return undefined;
  };
}

function group(machine: FleetMachine, { name }: ObservedNode, facts: PlacementFacts): Unfit | undefined {
  const other = groupElsewhere(machine, name, facts);
  if (other === undefined) return undefined;
  return {
    reason: `kept together with '${other.name}', on ${other.node}, by affinity`,
    remedy: `Make room on ${other.node}, or set the rule of affinity to mode "soft". Machines that are there are never moved for it.`,
  };
}

/** Where a file behind an address cannot be kept, nothing can be made of it. */
function importing(machine: FleetMachine, node: ObservedNode): Unfit | undefined {
  const { image } = machine;
  if (!image || !isImported(image) || !node.storages) return undefined;
  const { found, why } = importStorages(image, node.storages);
  return found.length === 0 ? { reason: why, ways: importWays(machine) } : undefined;
}

function selector(
  { placement }: FleetMachine,
  node: ObservedNode,
  facts: PlacementFacts,
): string | undefined {
  const labels = saidOf(facts, node.name)?.labels ?? {};
  const missing = Object.entries(placement?.nodeSelector ?? {}).find(([key, value]) => labels[key] !== value);
  return missing && `without the label ${missing.join('=')}`;
}

/** The fewest that the node, the machine, or a machine of the fleet beside it allows: a limit holds for who comes later too. */
function guests({ placement }: FleetMachine, node: ObservedNode, facts: PlacementFacts): string | undefined {
  const { name } = node;
  const count = guestCount(facts, name);
  const most = Math.min(saidOf(facts, name)?.maxVMs ?? Infinity, placement?.maxVMsPerNode ?? Infinity);
  const has = `it has ${counted(count, 'guest', 'guests')}, and`;
  if (count >= most) return `${has} ${counted(most, 'is', 'are')} allowed`;
  const full = fleetOn(facts, name).find(
    ({ machine }) => count >= (machine.placement?.maxVMsPerNode ?? Infinity),
  );
  return full && `${has} '${full.machine.id}' there allows ${full.machine.placement?.maxVMsPerNode}`;
}

// PVE: a guest with more vCPUs than the node has does not start
function processors({ cpu }: FleetMachine, { name: node, cpus }: ObservedNode): Unfit | undefined {
  const wanted = (cpu?.cores ?? 1) * (cpu?.sockets ?? 1);
  if (cpus === 0 || wanted <= cpus) return undefined;
  return {
    reason: `insufficient resources on node (it has ${counted(cpus, 'CPU', 'CPUs')}, ${wanted} are wanted)`,
    cause: { about: 'resources', facts: { node } },
  };
}

function memory(machine: FleetMachine, node: ObservedNode, facts: PlacementFacts): Unfit | undefined {
  const wanted = machine.memory ?? 0;
  const left = memoryToLeave(machine, node, facts);
  const free = node.memory - node.memoryUsed - reservedMemory(facts, node.name) - left;
  if (node.memory === 0 || free >= wanted) return undefined;
  const [available, requested] = inOneUnit(wholeMiB(free), wanted);
  return {
    reason: `insufficient resources on node (memory: ${available} to give, ${requested} are wanted)`,
    cause: { about: 'resources', facts: { node: node.name, available, requested_memory: requested } },
  };
}

/** What there is is never told as more; less than nothing is nothing. */
function wholeMiB(bytes: number): number {
  return Math.max(0, Math.floor(bytes / MiB) * MiB);
}

/** The most that is to stay free: by the node, the machine, or a machine of the fleet beside it. */
function memoryToLeave(machine: FleetMachine, { name }: ObservedNode, facts: PlacementFacts): number {
  const beside = fleetOn(facts, name).map(other => other.machine);
  const wishes = [machine, ...beside].map(({ placement }) => placement?.minFreeMemory ?? 0);
  return Math.max(saidOf(facts, name)?.minFreeMemory ?? 0, ...wishes);
}

/** Kinds of storage where a volume takes all its room at once; the others give it when it is written to. */
export const THICK = /^(?:lvm|zfspool)$/;

function storages(machine: FleetMachine, node: ObservedNode, facts: PlacementFacts): ReturnType<Check> {
  if (!node.storages) return undefined;
  const active = node.storages.filter(storage => storage.active);
  const rooms = newVolumes(machine);
  for (const name of [...rooms.keys(), ...usedStorages(machine)]) {
    const storage = active.find(one => one.name === name);
    if (!storage && hidesStorage(name, facts.cluster)) continue;
    const ways = storageWays(machine, name);
    if (!storage) {
      const has = active.map(one => one.name).join(', ') || 'none';
      return { reason: `storage '${name}' not found, it has ${has}`, ways };
    }
    const wanted = rooms.get(name);
    if (wanted === undefined) continue;
    if (!storage.content.includes('images')) return { reason: `storage '${name}' takes no disks`, ways };
    const promised = THICK.test(storage.type) ? roomPromised(name, storage.shared, node.name, facts) : 0;
    const free = (storage.available ?? Infinity) - promised;
    if (free < wanted) {
      const less = ['ask for less in size of these disks', `make room on ${name}`];
      return { ...noRoom(name, node.name, free, wanted), ways: storageWays(machine, name, ...less) };
    }
  }
  return undefined;
}

function noRoom(storage: string, node: string, free: number, wanted: number): Unfit {
  const [available, requested] = inOneUnit(wholeMiB(free), wanted);
  return {
    reason: `storage '${storage}' has ${available} free, ${requested} are wanted`,
    cause: { about: 'resources', facts: { node, storage, available, requested } },
  };
}

function roomPromised(storage: string, isShared: boolean, node: string, facts: PlacementFacts): number {
  const nodes = isShared ? [...facts.others.keys()] : [node];
  return nodes
    .flatMap(name => comingTo(facts, name))
    .reduce((sum, { machine }) => sum + (newVolumes(machine).get(storage) ?? 0), 0);
}

function bridges(
  machine: FleetMachine,
  node: ObservedNode,
  { cluster, clusterSpec }: PlacementFacts,
): Unfit | undefined {
  const there = node.bridges;
  const missing = (machine.networks ?? [])
    .flatMap(network => bridgeOf(network, clusterSpec) ?? [])
    .find(bridge => there && !there.includes(bridge) && !hidesBridge(bridge, cluster));
  if (missing === undefined) return undefined;
  return {
    reason: `bridge '${missing}' not found, it has ${there?.join(', ') || 'none'}`,
    cause: { about: 'bridge', facts: { bridge: missing, node: node.name } },
    ways: bridgeWays(machine, missing, clusterSpec),
  };
}

/** The room that a new machine's volumes take, by storage. What a clone brings is not known here. */
function newVolumes({ image, disks = [] }: FleetMachine): Map<string, number> {
  const root = disks.find(({ name }) => name === 'root');
  const room = new Map<string, number>();
  for (const { name, storage = root?.storage, size = 0, existingVolume } of disks) {
    if (storage === undefined || existingVolume !== undefined) continue;
    const isBrought = name === 'root' && isCloned(image);
    room.set(storage, (room.get(storage) ?? 0) + (isBrought ? 0 : size));
  }
  return room;
}

/** The storages whose volumes must be there already: an ISO's, and those of disks that are only attached. */
function usedStorages({ image, disks = [] }: FleetMachine): string[] {
  const volumes = [image?.iso, ...disks.map(({ existingVolume }) => existingVolume)];
  return volumes.flatMap(volume => (volume === undefined ? [] : [volume.slice(0, volume.indexOf(':'))]));
}
