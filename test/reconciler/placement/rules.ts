import type { Newcomer } from '../../../reconciler/placement/layout';
import type { FleetMachine, NeighbourRule } from '../../../spec';
import { GiB } from '../../support/reconciler/placement-site';
import type { SmallFleet } from './fleets';

/** The rules as the documents say them, written once more: what is tested has no part in this. */

type Places = ReadonlyMap<string, readonly FleetMachine[]>;

/** Whether these machines on these nodes break no hard rule. */
export function keepsRules(fleet: SmallFleet, places: Places): boolean {
  return (
    [...places].every(([node, machines]) => nodeKeeps(fleet, node, machines)) && keepsGroups(fleet, places)
  );
}

/** Those that are new are all on one node; and where guests that are there match, at least one is beside. */
function keepsGroups(fleet: SmallFleet, places: Places): boolean {
  const placed = [...places].flatMap(([node, machines]) => machines.map(machine => ({ machine, node })));
  return placed.every(({ machine, node }) => {
    const isWhole = placed.every(
      other => other.node === node || other.machine === machine || !seeks(machine, other.machine),
    );
    const sought = fleet.guests.filter(
      ({ at, tag }) => at < fleet.nodes.length && seeks(machine, { tags: [tag] }),
    );
    return isWhole && (sought.length === 0 || sought.some(({ at }) => node === `pve${at + 1}`));
  });
}

function nodeKeeps(fleet: SmallFleet, name: string, machines: readonly FleetMachine[]): boolean {
  if (machines.length === 0) return true;
  const index = Number(name.slice(3)) - 1;
  const node = fleet.nodes[index]!;
  const guests = fleet.guests.filter(({ at }) => at === index);
  const wishes = machines.map(({ placement = {} }) => placement);
  const count = machines.length + guests.length;
  const memory = machines.reduce((sum, machine) => sum + machine.memory!, 0);
  const left = Math.max(...wishes.map(({ minFreeMemory = 0 }) => minFreeMemory));
  return (
    node.isOnline &&
    count <= Math.min(node.said.maxVMs ?? 99, ...wishes.map(({ maxVMsPerNode = 99 }) => maxVMsPerNode)) &&
    memory + left <= node.memory * GiB &&
    wishes.every(({ nodes = [name] }) => nodes.includes(name)) &&
    wishes.every(({ nodeSelector = {} }) => (nodeSelector['zone'] ?? node.zone) === node.zone) &&
    machines.every(one => machines.every(other => one === other || !avoids(one, other))) &&
    machines.every(one => guests.every(({ tag }) => !avoids(one, { tags: [tag] })))
  );
}

type Other = Pick<FleetMachine, 'labels' | 'tags'>;

const avoids = ({ placement }: FleetMachine, other: Other) => isAbout(placement?.antiAffinity, other);
const seeks = ({ placement }: FleetMachine, other: Other) => isAbout(placement?.affinity, other);

function isAbout(rules: readonly NeighbourRule[] = [], other: Other): boolean {
  return rules.some(({ key, operator, values = [], mode }) => {
    const there = key === 'tag' ? (other.tags ?? []) : [other.labels?.[key] ?? []].flat();
    const isNamed = there.some(value => values.includes(value));
    return mode !== 'soft' && there.length > 0 && isNamed === (operator === 'In');
  });
}

/** Whether there are places for all: every way is tried. */
export function hasSolution(fleet: SmallFleet, newcomers: readonly Newcomer[]): boolean {
  const names = fleet.nodes.map((_, index) => `pve${index + 1}`);
  const settle = (rest: readonly Newcomer[], places: Places): boolean => {
    const [next, ...others] = rest;
    if (!next) return true;
    return names.some(name => {
      const now = new Map([...places, [name, [...(places.get(name) ?? []), next.machine]]]);
      return keepsRules(fleet, now) && settle(others, now);
    });
  };
  return settle(newcomers, new Map());
}
