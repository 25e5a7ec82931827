import type { FleetMachine, PlacementSpec } from '../../spec';
import { isOwnerTag } from '../mark/owner-tag';
import type { ListedGuest } from '../observed';
import { fleetOn, type PlacementFacts } from './placement-facts';

type Rule = NonNullable<PlacementSpec['antiAffinity']>[number];

/** What rules compare. Of a guest that is no machine of the fleet only the tags are known: no rule about a label matches. */
type Compared = Pick<FleetMachine, 'labels' | 'tags'>;

/** The first machine on a node that a hard rule keeps apart from this one, by the rules of either. */
export function enemyOn(machine: FleetMachine, node: string, facts: PlacementFacts): string | undefined {
  const beside = fleetOn(facts, node).find(other => areApart(machine, other.machine));
  if (beside) return beside.machine.id;
  if (!rulesOf(machine).some(rule => isHard(rule) && rule.key === 'tag')) return undefined;
  const stranger = strangersOn(node, facts).find(other => hasHardRule(machine, other));
  return stranger && (stranger.name ?? `VM ${stranger.vmid}`);
}

/** How many guests on a node this machine would rather not be beside. */
export function unwelcomeOn(machine: FleetMachine, node: string, facts: PlacementFacts): number {
  const soft = rulesOf(machine).filter(rule => !isHard(rule));
  if (soft.length === 0) return 0;
  const beside = fleetOn(facts, node).map(other => other.machine);
  return [...beside, ...strangersOn(node, facts)].filter(other => soft.some(rule => matches(rule, other)))
    .length;
}

/** Whether labels of other machines decide where this one may go. */
export function needsLabels(machine: FleetMachine): boolean {
  return rulesOf(machine).some(rule => isHard(rule) && rule.key !== 'tag');
}

function areApart(one: FleetMachine, other: FleetMachine): boolean {
  return hasHardRule(one, other) || hasHardRule(other, one);
}

function hasHardRule(machine: FleetMachine, other: Compared): boolean {
  return rulesOf(machine).some(rule => isHard(rule) && matches(rule, other));
}

function rulesOf({ placement }: FleetMachine): readonly Rule[] {
  return placement?.antiAffinity ?? [];
}

function isHard({ mode }: Rule): boolean {
  return mode !== 'soft';
}

/** The tag that says whose a guest is counts for nothing. */
function matches({ key, operator, values = [] }: Rule, { labels = {}, tags = [] }: Compared): boolean {
  const label = labels[key];
  const there = key === 'tag' ? tags.filter(tag => !isOwnerTag(tag)) : label === undefined ? [] : [label];
  if (operator === 'Exists') return there.length > 0;
  const isNamed = there.some(value => values.includes(value));
  return operator === 'In' ? isNamed : there.length > 0 && !isNamed;
}

/** The guests on a node that are no machines of the fleet. */
function strangersOn(node: string, facts: PlacementFacts): ListedGuest[] {
  const known = new Set(fleetOn(facts, node).map(({ guest }) => guest?.vmid));
  return (facts.guests.get(node) ?? []).filter(({ vmid }) => !known.has(vmid));
}
