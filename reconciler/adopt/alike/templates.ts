import type { Json } from '../spec/said';
import { kindsOf, mayBeColumn, mayBeOwn, valuesIn, type Kinds } from './kinds';

/** Machines that one template says, each with its own values and few fields of its own. */
export interface Alike<T> {
  /** The fields of the template: all of them have these. Empty where a machine stands alone. */
  fields: readonly string[];
  machines: readonly T[];
}

interface Drafted<T> {
  machine: T;
  kinds: Kinds;
  /** Each field as it is written. */
  texts: ReadonlyMap<string, string>;
  /** The values that may be in a column, by their paths. */
  values: ReadonlyMap<string, string>;
}

interface Template<T> {
  kinds: Kinds;
  /** The paths that are columns. */
  columns: readonly string[];
  members: readonly Drafted<T>[];
  /** The lines that it saves. */
  saved: number;
}

/** So many fields of a machine may be none of its template. */
const MOST_OWN = 6;
/** How many of its nearest ones a machine is compared with. */
const NEIGHBOURS = 4;
/** Lines around what a machine or a template says. */
const AROUND = 3;
/** A table is harder to read than machines: it is written where it saves more lines than these. */
const LEAST_SAVED = 8;
/** Characters of a row, and of what is around its values. */
const ROW = 110;
const AROUND_ROW = 16;
/** Characters of what a machine says beside its row, where that is one line. */
const BESIDE = 80;
/** Up to so many lines a machine counts where a template is chosen. */
const FEW_LINES = 2;

/**
 * Divides machines so that the program has few lines: what one template says with few words beside it stands together, in
 * the order of the machines. Each template is chosen for the lines that it saves where few say a machine; then the others
 * join the one that saves them most.
 */
export function alikes<T extends { json: Json }>(machines: readonly T[]): Alike<T>[] {
  let left = machines.map(drafted);
  const candidates = candidatesOf(left.map(({ kinds }) => kinds));
  const chosen: Template<T>[] = [];
  for (let best = bestOf(candidates, left); best !== undefined; best = bestOf(candidates, left)) {
    const { members } = best;
    chosen.push(best);
    left = left.filter(each => !members.includes(each));
  }
  const homes = left.map(each => ({ each, home: homeOf(each, chosen) }));
  const found = chosen.map((template): Alike<T> => {
    const joined = homes.filter(({ home }) => home === template).map(({ each }) => each);
    const all = [...template.members, ...joined].map(({ machine }) => machine);
    return { fields: [...template.kinds.keys()], machines: inOrder(all, machines) };
  });
  const singles = homes.filter(({ home }) => home === undefined).map(({ each }) => each.machine);
  const alone = singles.map((machine): Alike<T> => ({ fields: [], machines: [machine] }));
  const places = new Map(machines.map((machine, index) => [machine, index]));
  const placeOf = ({ machines: [first] }: Alike<T>): number => (first && places.get(first)) ?? -1;
  return [...found, ...alone].sort((one, other) => placeOf(one) - placeOf(other));
}

function inOrder<T>(some: readonly T[], all: readonly T[]): T[] {
  const isIn = new Set(some);
  return all.filter(each => isIn.has(each));
}

/** The template that saves a machine most lines, though not all of it fits into one. */
function homeOf<T extends { json: Json }>(
  each: Drafted<T>,
  templates: readonly Template<T>[],
): Template<T> | undefined {
  const gains = templates
    .filter(({ kinds }) => mayBeIn(kinds, each))
    .map(template => ({
      template,
      gain: AROUND + linesIn(each) - rowOf(template.kinds, template.columns, each),
    }));
  const most = Math.max(0, ...gains.map(({ gain }) => gain));
  return most === 0 ? undefined : gains.find(({ gain }) => gain === most)?.template;
}

function drafted<T extends { json: Json }>(machine: T): Drafted<T> {
  const kinds = kindsOf(machine.json);
  const texts = [...kinds.keys()].map(
    field => [field, `${field}: ${JSON.stringify(machine.json[field])}`] as const,
  );
  const values = [...kinds.keys()]
    .flatMap(field => [...valuesIn(machine.json[field], field)])
    .flatMap(([path, value]) => (mayBeColumn(path) ? [[path, JSON.stringify(value)] as const] : []));
  return { machine, kinds, texts: new Map(texts), values: new Map(values) };
}

/** What each machine says, and what it says as its nearest ones do. */
function candidatesOf(all: readonly Kinds[]): Kinds[] {
  const keyOf = (kinds: Kinds): string => JSON.stringify([...kinds].sort());
  const distinct = [...new Map(all.map(kinds => [keyOf(kinds), kinds])).values()];
  const shared = distinct.flatMap(kinds =>
    distinct
      .filter(other => other !== kinds)
      .map(other => new Map([...kinds].filter(([field, kind]) => other.get(field) === kind)))
      .sort((one, other) => other.size - one.size)
      .slice(0, NEIGHBOURS),
  );
  const found = [...distinct, ...shared];
  const short = found.flatMap(kinds => LONG.map(fields => withoutFields(kinds, fields)));
  return [...new Map([...found, ...short].map(kinds => [keyOf(kinds), kinds])).values()];
}

/** Texts of people make a row long: a template may be without them. */
const LONG = [['description'], ['description', 'name'], ['description', 'tags']];

function withoutFields(kinds: Kinds, fields: readonly string[]): Kinds {
  return new Map([...kinds].filter(([field]) => !fields.includes(field)));
}

function bestOf<T extends { json: Json }>(
  candidates: readonly Kinds[],
  left: readonly Drafted<T>[],
): Template<T> | undefined {
  let best: Template<T> | undefined;
  for (const kinds of candidates) {
    const template = templateOf(kinds, left);
    if (template.saved > (best?.saved ?? LEAST_SAVED)) best = template;
  }
  return best;
}

/** The machines that a template says in a line each: those that need no more than it, or also some that do. */
function templateOf<T extends { json: Json }>(kinds: Kinds, left: readonly Drafted<T>[]): Template<T> {
  const able = left.filter(each => mayBeIn(kinds, each));
  const exact = able.filter(each => each.kinds.size === kinds.size && ownOf(kinds, each.kinds).length === 0);
  const [one, other] = [templateFor(kinds, able), templateFor(kinds, exact)];
  return other.saved > one.saved ? other : one;
}

function templateFor<T extends { json: Json }>(kinds: Kinds, able: readonly Drafted<T>[]): Template<T> {
  const [first] = able;
  if (first === undefined || able.length < 2) return { kinds, columns: [], members: [], saved: 0 };
  const paths = [...first.values.keys()].filter(path => kinds.has(path.split('.')[0] ?? ''));
  const columns = paths.filter(path => new Set(able.map(({ values }) => values.get(path))).size > 1);
  const members = able.filter(each => rowOf(kinds, columns, each) <= FEW_LINES);
  const cost = AROUND + sum([...kinds.keys()].map(field => linesOf(first.texts.get(field))));
  const gains = members.map(each => AROUND + linesIn(each) - rowOf(kinds, columns, each));
  return { kinds, columns, members, saved: members.length < 2 ? 0 : sum(gains) - cost };
}

/** Whether it has all fields of a template, and few others or other ones. */
function mayBeIn<T>(template: Kinds, { kinds, texts }: Drafted<T>): boolean {
  for (const [field, kind] of template) {
    const its = kinds.get(field);
    if (its === undefined || (its !== kind && !mayBeOwn(field))) return false;
  }
  const own = ownOf(template, kinds);
  const lengthOf = (fields: Iterable<string>): number =>
    sum([...fields].map(field => texts.get(field)?.length ?? 0));
  // else it is no machine of this kind
  return own.length <= MOST_OWN && lengthOf(own) * 2 <= lengthOf(kinds.keys());
}

function ownOf(template: Kinds, kinds: Kinds): string[] {
  return [...kinds].flatMap(([field, kind]) => (template.get(field) === kind ? [] : [field]));
}

/** The lines of a row, and of what stands beside it. */
function rowOf<T extends { json: Json }>(
  template: Kinds,
  columns: readonly string[],
  { machine, kinds, texts, values }: Drafted<T>,
): number {
  const own = ownOf(template, kinds).map(field => texts.get(field) ?? '');
  const length =
    AROUND_ROW +
    String(machine.json['id']).length +
    sum(columns.map(path => (values.get(path)?.length ?? 0) + 2));
  const beside =
    own.length === 0 ? 0 : sum(own.map(text => text.length)) <= BESIDE ? 1 : 2 + sum(own.map(linesOf));
  return (length <= ROW ? 1 : 4 + columns.length) + beside;
}

function linesIn<T>({ texts }: Drafted<T>): number {
  return sum([...texts.values()].map(linesOf));
}

function linesOf(text = ''): number {
  return 1 + Math.floor(text.length / 90);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
