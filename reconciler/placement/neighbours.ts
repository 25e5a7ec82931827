import { areTied, isMatch, type Compared, type FleetMachine, type NeighbourRule } from '../../spec';
import { isOwnerTag } from '../mark/owner-tag';
import type { ListedGuest } from '../observed';
import { fleetOn, type PlacedMachine, type PlacementFacts } from './placement-facts';

/** Rules that choose a machine's neighbours: those it is kept together with, and those it is kept apart from. */
export type Side = 'affinity' | 'antiAffinity';

/** Somebody whom a rule is about, and where. */
export interface Neighbour {
  name: string;
  node: string;
  /** Its guest; absent: it is still to be made, at a place that was chosen for it. */
  guest: ListedGuest | undefined;
  /** A machine of the fleet. */
  isOurs: boolean;
}

/** The first machine on a node that a hard rule keeps apart from this one, by the rules of either. */
export function enemyOn(machine: FleetMachine, node: string, facts: PlacementFacts): string | undefined {
  const beside = fleetOn(facts, node).find(other => areTied('antiAffinity', machine, other.machine));
  if (beside) return beside.machine.id;
  const [stranger] = tiedStrangers('antiAffinity', machine, node, facts);
  return stranger && nameOf(stranger);
}

/**
 * Of the machines that a hard rule keeps together with this one, by the rules of either, one for which this node will
 * not do. Those that are new are all on one node; of those that are there, it must be the node of one.
 */
export function groupElsewhere(
  machine: FleetMachine,
  node: string,
  facts: PlacementFacts,
): Neighbour | undefined {
  const group = groupOf(machine, facts);
  const coming = group.find(one => !one.guest && one.node !== node);
  if (coming) return coming;
  const there = group.filter(({ guest }) => guest);
  return there.some(one => one.node === node) ? undefined : there[0];
}

/** Whom a hard rule keeps together with a machine, wherever they are. */
export function groupOf(machine: FleetMachine, facts: PlacementFacts): Neighbour[] {
  const ours = facts.together?.(machine) ?? tiedTo(machine, [...facts.others.values()].flat(), 'affinity');
  const strangers = comparesTags('affinity', machine)
    ? [...facts.guests.keys()].flatMap(node => tiedStrangers('affinity', machine, node, facts))
    : [];
  return [...ours.map(neighbourOf), ...strangers.map(strangerOf)];
}

/** Whom a hard rule keeps apart from a machine, on one node. */
export function enemiesOn(machine: FleetMachine, node: string, facts: PlacementFacts): Neighbour[] {
  const ours = tiedTo(machine, fleetOn(facts, node), 'antiAffinity');
  const strangers = tiedStrangers('antiAffinity', machine, node, facts);
  return [...ours.map(neighbourOf), ...strangers.map(strangerOf)];
}

const neighbourOf = ({ machine: { id: name }, node, guest }: PlacedMachine): Neighbour => {
  return { name, node, guest, isOurs: true };
};
const strangerOf = (guest: ListedGuest): Neighbour => {
  return { name: nameOf(guest), node: guest.node, guest, isOurs: false };
};

function tiedTo(machine: FleetMachine, others: readonly PlacedMachine[], side: Side): PlacedMachine[] {
  return others.filter(other => areTied(side, machine, other.machine));
}

/** Whether a machine has a hard rule that keeps others together with it, or apart from it. */
export function hasHard(side: Side, machine: FleetMachine): boolean {
  return rulesOf(side, machine).some(isHard);
}

/** How many guests on a node soft rules of this machine are about. */
export function softOn(side: Side, machine: FleetMachine, node: string, facts: PlacementFacts): number {
  const soft = rulesOf(side, machine).filter(rule => !isHard(rule));
  if (soft.length === 0) return 0;
  const beside = fleetOn(facts, node).map(other => other.machine);
  const all = [...beside, ...strangersOn(node, facts).map(comparedOf)];
  return all.filter(other => soft.some(rule => isMatch(rule, other))).length;
}

/** The rules by which labels of other machines decide where this one may go; undefined: there is none. */
export function needsLabels(machine: FleetMachine): Side | undefined {
  const sides = ['affinity', 'antiAffinity'] as const;
  return sides.find(side => rulesOf(side, machine).some(rule => isHard(rule) && rule.key !== 'tag'));
}

/** The guests of nobody on a node that a hard rule of this machine is about. */
function tiedStrangers(
  side: Side,
  machine: FleetMachine,
  node: string,
  facts: PlacementFacts,
): ListedGuest[] {
  if (!comparesTags(side, machine)) return [];
  return strangersOn(node, facts).filter(guest => areTied(side, machine, comparedOf(guest)));
}

function comparesTags(side: Side, machine: FleetMachine): boolean {
  return rulesOf(side, machine).some(rule => isHard(rule) && rule.key === 'tag');
}

const nameOf = ({ name, vmid }: ListedGuest): string => name ?? `VM ${vmid}`;

function rulesOf(side: Side, { placement }: FleetMachine): readonly NeighbourRule[] {
  return placement?.[side] ?? [];
}

function isHard({ mode }: NeighbourRule): boolean {
  return mode !== 'soft';
}

/** Of a guest that is no machine of the fleet only the tags are known. That which says whose it is counts for nothing. */
function comparedOf({ tags }: ListedGuest): Compared {
  return { tags: tags.filter(tag => !isOwnerTag(tag)) };
}

/** The guests on a node that are no machines of the fleet. */
function strangersOn(node: string, facts: PlacementFacts): ListedGuest[] {
  const known = new Set(fleetOn(facts, node).map(({ guest }) => guest?.vmid));
  return (facts.guests.get(node) ?? []).filter(({ vmid }) => !known.has(vmid));
}
