import type { FleetMachine, PlacementSpec } from '../../spec';
import { isOwnerTag } from '../mark/owner-tag';
import type { PlacementFacts } from './placement-facts';

type Rule = NonNullable<PlacementSpec['antiAffinity']>[number];

interface Neighbour {
  name: string;
  labels: Record<string, string>;
  tags: string[];
  /** Its own rules, where it is a machine of the fleet. */
  rules: readonly Rule[];
}

/** The first machine on a node that a hard rule keeps apart from this one, by the rules of either. */
export function enemyOn(machine: FleetMachine, node: string, facts: PlacementFacts): string | undefined {
  const own = neighbourOf(machine);
  return neighboursOn(node, facts).find(
    other => own.rules.some(isHardFor(other)) || other.rules.some(isHardFor(own)),
  )?.name;
}

/** How many machines on a node this one would rather not be beside. */
export function unwelcomeOn(machine: FleetMachine, node: string, facts: PlacementFacts): number {
  const soft = neighbourOf(machine).rules.filter(({ mode }) => mode === 'soft');
  if (soft.length === 0) return 0;
  return neighboursOn(node, facts).filter(other => soft.some(rule => matches(rule, other))).length;
}

function isHardFor(other: Neighbour): (rule: Rule) => boolean {
  return rule => rule.mode !== 'soft' && matches(rule, other);
}

function matches({ key, operator, values = [] }: Rule, { labels, tags }: Neighbour): boolean {
  const label = labels[key];
  const there = key === 'tag' ? tags : label === undefined ? [] : [label];
  if (operator === 'Exists') return there.length > 0;
  const isNamed = there.some(value => values.includes(value));
  return operator === 'In' ? isNamed : there.length > 0 && !isNamed;
}

/** The machines of the fleet, with labels and rules, and every other guest, of which only the tags are known. */
function neighboursOn(node: string, { guests, others }: PlacementFacts): Neighbour[] {
  const here = others.get(node) ?? [];
  const known = new Set(here.flatMap(({ guest }) => (guest ? [guest.vmid] : [])));
  const strangers = (guests.get(node) ?? []).filter(({ vmid }) => !known.has(vmid));
  return [
    ...here.map(({ machine }) => neighbourOf(machine)),
    ...strangers.map(({ vmid, name, tags }) => ({
      name: name ?? `VM ${vmid}`,
      labels: {},
      tags: tags.filter(tag => !isOwnerTag(tag)),
      rules: [],
    })),
  ];
}

function neighbourOf({ id, labels = {}, tags = [], placement }: FleetMachine): Neighbour {
  return { name: id, labels, tags, rules: placement?.antiAffinity ?? [] };
}
