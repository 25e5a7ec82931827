import type { Objection } from '../action';
import { Layout, type Newcomer } from './layout';
import { placeFor, type Choice } from './placement';
import type { PlacementFacts } from './placement-facts';
import { Search } from './search';

/** So many looks at a node, in one plan, for machines that are left over: well under a second. */
const MOST_TRIES = 30_000;

/**
 * Places for machines that are new together, whatever order they are given in. One after the other takes the best one.
 * Where that leaves some over, others make room for them, if there is a way. Who still has no place is reported for each
 * node why. Pure: the same facts, the same places.
 */
export function schedule(
  newcomers: readonly Newcomer[],
  facts: PlacementFacts,
  mostTries = MOST_TRIES,
): Map<string, Choice> {
  const sorted = [...newcomers].sort((one, other) => (one.machine.id < other.machine.id ? -1 : 1));
  const layout = new Layout(facts, newcomers);
  const choices = new Map<string, Choice>();
  sorted.forEach(newcomer => place(newcomer, layout, choices));
  const left = sorted.filter(({ machine }) => layout.nodeOf(machine.id) === undefined);
  if (left.length > 0) makeRoom(left, sorted, { layout, choices, mostTries });
  return choices;
}

interface Placing {
  layout: Layout;
  choices: Map<string, Choice>;
  mostTries: number;
}

function makeRoom(
  left: readonly Newcomer[],
  all: readonly Newcomer[],
  { layout, choices, mostTries }: Placing,
): void {
  // what fits nowhere even alone is not searched for: its reasons do not depend on the other new machines
  const alone = new Map(left.map(newcomer => [newcomer, choiceFor(newcomer, layout.empty)]));
  alone.forEach((choice, { machine }) => choices.set(machine.id, choice));
  const hopeful = left.filter(newcomer => 'node' in (alone.get(newcomer) ?? {}));
  const tries = Math.ceil(mostTries / Math.max(1, hopeful.length));
  const search = new Search(layout, all, tries);
  const ends = new Map(hopeful.map(newcomer => [newcomer, search.makeRoom(newcomer)]));
  // who was moved takes the best place that is left, and can say why
  for (const newcomer of all.filter(({ machine }) => search.moved.has(machine.id))) {
    layout.take(newcomer);
    place(newcomer, layout, choices);
  }
  for (const [newcomer, end] of ends) {
    if (end === 'found') continue;
    const choice = place(newcomer, layout, choices);
    if ('why' in choice) choices.set(newcomer.machine.id, searched(choice, end, tries));
  }
}

function place(newcomer: Newcomer, layout: Layout, choices: Map<string, Choice>): Choice {
  const choice = choiceFor(newcomer, layout.facts);
  choices.set(newcomer.machine.id, choice);
  if ('node' in choice) layout.put(newcomer, choice.node);
  return choice;
}

function choiceFor({ machine, sources, among }: Newcomer, facts: PlacementFacts): Choice {
  return placeFor(machine, sources, facts, among);
}

/** Says what became of the search for other places of the other new machines. */
function searched(refused: Objection, end: 'none' | 'given-up', tries: number): Objection {
  const told =
    end === 'none'
      ? 'Other places for the other new machines do not help.'
      : `Whether other places for the other new machines would help is not known: the search gave up after ${tries} tries.`;
  return { ...refused, detail: `${refused.detail} ${told}` };
}
