import type { Program } from './program';
import { unlike } from './spec/networks';

type Machine = Program['machines'][number];

/** Machines that people look for in one place. */
export interface Group {
  /** Letters, digits and dashes: a file is named for it. */
  name: string;
  /** What the machines have in common, for people. Empty: nothing. */
  says: string;
  machines: readonly Machine[];
}

/** A group has no fewer machines, and is divided where it has more. */
const FEWEST = 4;
const MOST = 40;

interface Criterion {
  /** What a machine may be found by; the rarest one that enough machines have counts. */
  wordsOf: (machine: Machine) => readonly string[];
  says: string;
}

const CRITERIA: readonly Criterion[] = [
  { says: 'of pool', wordsOf: ({ json: { pool } }) => (typeof pool === 'string' ? [pool] : []) },
  { says: 'with tag', wordsOf: ({ json: { tags } }) => (Array.isArray(tags) ? tags.map(String) : []) },
  { says: 'named like', wordsOf: ({ json: { id, name } }) => patternOf(String(name ?? id)) },
  {
    says: 'made from template',
    wordsOf: ({ madeFrom }) => (madeFrom === undefined ? [] : [String(madeFrom)]),
  },
];

/**
 * Divides machines by pool, else by tag, else by what their names have in common, else by the template whose disk they use.
 * What is left stands in one group of its own.
 */
export function groupsOf(machines: readonly Machine[]): Group[] {
  const taken = new Set(TAKEN);
  const parts = divided({ name: '', says: '', machines }, CRITERIA).filter(part => part.machines.length > 0);
  // a tag and a name may be one word: whoever looks for it looks in one place
  const named = new Map<string, Group>();
  for (const part of parts) {
    const same = named.get(part.name);
    named.set(part.name, same === undefined ? part : joined(same, part));
  }
  const inOrder = ({ json: one }: Machine, { json: other }: Machine): number =>
    Number(one['vmid']) - Number(other['vmid']);
  return [...named.values()].map(group => ({
    ...group,
    name: unlike(group.name || 'others', taken),
    machines: [...group.machines].sort(inOrder),
  }));
}

function joined(one: Group, other: Group): Group {
  const says = [one.says, other.says].filter(Boolean).join(', or ');
  return { name: one.name, says, machines: [...one.machines, ...other.machines] };
}

/** Files that a program has besides, and one that Terraform merges into the others in place of reading it beside them. */
const TAKEN = ['main', 'classes', 'variables', 'outputs', 'versions', 'index', 'override'];

function divided(group: Group, [criterion, ...others]: readonly Criterion[]): Group[] {
  const isSmall = group.name !== '' && group.machines.length <= MOST;
  if (criterion === undefined || isSmall) return [group];
  const parts = new Map<string, Machine[]>();
  const rest: Machine[] = [];
  const counts = countsOf(group.machines, criterion);
  for (const machine of group.machines) {
    const word = rarest(criterion.wordsOf(machine), counts);
    if (word === undefined) rest.push(machine);
    else parts.set(word, [...(parts.get(word) ?? []), machine]);
  }
  const all = [...parts];
  const enough = all.filter(([, { length }]) => length >= FEWEST && length < group.machines.length);
  const few = all.filter(part => !enough.includes(part)).flatMap(([, some]) => some);
  const named = enough.map(([word, some]) => ({
    name: [group.name, fileWord(word)].filter(Boolean).join('-'),
    says: [group.says, `${criterion.says} ${word}`].filter(Boolean).join(', '),
    machines: some,
  }));
  const left = new Set([...rest, ...few]);
  const remaining = { ...group, machines: group.machines.filter(machine => left.has(machine)) };
  return [...named.flatMap(each => divided(each, others)), ...divided(remaining, others)];
}

function countsOf(machines: readonly Machine[], { wordsOf }: Criterion): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of machines.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** A tag that all have says less than one that few have. */
function rarest(words: readonly string[], counts: ReadonlyMap<string, number>): string | undefined {
  const countOf = (word: string): number => counts.get(word) ?? 0;
  const shared = words.filter(word => countOf(word) >= FEWEST);
  return shared.sort((one, other) => countOf(one) - countOf(other) || (one < other ? -1 : 1))[0];
}

/** `web-1`, `web02.example.com` and `prod-web-c7` without their last number: `web`, `web` and `prod-web`. */
function patternOf(name: string): string[] {
  const [first = ''] = name.toLowerCase().split('.');
  const words = first.split(/[^a-z]+/).filter(word => word.length > 1);
  return words.length === 0 ? [] : [words.join('-')];
}

function fileWord(word: string): string {
  const plain = word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return plain === '' ? 'group' : plain;
}
