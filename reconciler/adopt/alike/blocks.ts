import { ALWAYS, canonical, isRecord } from '../../../spec';
import { less, present, type Json } from '../spec/said';
import { isSame, mayBeOwn, valuesIn, withValues } from './kinds';
import { alikes, type Alike } from './templates';

/** A machine as its program says it; `beside`: comments that stand with it. */
export interface WrittenMachine {
  json: Json;
  beside: readonly string[];
}

/** The place of a value that is another one in each row. */
export class Column {
  constructor(readonly name: string) {}
}

/** Machines of one template, or one machine, which has no columns. */
export interface Block {
  /** What they all say, with columns where they differ. */
  json: Json;
  /** The columns, `id` and `vmid` first. */
  columns: readonly string[];
  rows: readonly MachineRow[];
}

/** One machine of a block. */
interface MachineRow {
  id: string;
  /** In the order of the columns. */
  values: readonly unknown[];
  /** What it says besides, or in place of the template. */
  own: Json;
  beside: readonly string[];
}

/** Puts machines that are alike together, at the place of the first of them. */
export function blocksOf(machines: readonly WrittenMachine[]): Block[] {
  return alikes(machines.map(withPower)).map(blockOf).map(withoutUsualPower);
}

/** Every machine has a power, and the one that needs no word is said where others of its block have another one. */
function withPower({ json, beside }: WrittenMachine): WrittenMachine {
  const { id, name, vmid, adopt, description, tags, pool, power = USUAL_POWER, ...rest } = json;
  const first = present({ id, name, vmid, adopt, description, tags, pool, power });
  return { json: { ...first, ...rest }, beside };
}

function withoutUsualPower({ json, ...rest }: Block): Block {
  return { ...rest, json: json['power'] === USUAL_POWER ? less(json, ['power']) : json };
}

const USUAL_POWER = ALWAYS.power;

function blockOf({ fields, machines }: Alike<WrittenMachine>): Block {
  const [first = { json: {}, beside: [] }] = machines;
  if (machines.length < 2)
    return {
      json: first.json,
      columns: [],
      rows: [{ id: String(first.json['id']), values: [], own: {}, beside: first.beside }],
    };
  const jsons = machines.map(({ json }) => json);
  const places = [
    ...fields.map(field => placesOf(field, jsons)),
    ...usualIn(jsons, ['id', 'vmid', ...fields]).map(([field, value]) => ({ field, value, columns: [] })),
  ];
  const names = named(['id', 'vmid', ...places.flatMap(({ columns }) => columns)]);
  const holes = new Map([...names].map(([path, name]) => [path, new Column(name)]));
  const usual = new Map(places.map(({ field, value }) => [field, value]));
  const template = Object.keys(first.json).filter(
    field => field === 'id' || field === 'vmid' || usual.has(field),
  );
  return {
    json: Object.fromEntries(
      template.map(field => [field, withValues(usual.get(field) ?? first.json[field], field, holes)]),
    ),
    columns: [...names.values()],
    rows: machines.map(({ json, beside }) => {
      const values = new Map(Object.entries(json).flatMap(([field, value]) => [...valuesIn(value, field)]));
      return {
        id: String(json['id']),
        values: [...names.keys()].map(path => values.get(path)),
        own: Object.fromEntries(Object.entries(json).filter(([field]) => isOwn(field, json))),
        beside,
      };
    }),
  };

  function isOwn(field: string, json: Json): boolean {
    if (field === 'id' || field === 'vmid') return false;
    const place = places.find(each => each.field === field);
    return place === undefined || (place.columns.length === 0 && !isSame(place.value, json[field]));
  }
}

/** What a template says of a field: the value that most have, and the paths in it that are columns. */
function placesOf(
  field: string,
  jsons: readonly Json[],
): { field: string; value: unknown; columns: string[] } {
  const given = jsons.map(json => json[field]);
  if (mayBeOwn(field)) return { field, value: mostFrequent(given), columns: [] };
  const values = given.map(value => valuesIn(value, field));
  const paths = [...(values[0]?.keys() ?? [])];
  const columns = paths.filter(path => values.some(each => !isSame(each.get(path), values[0]?.get(path))));
  return { field, value: given[0], columns };
}

/** Other fields that all have, and most with one value. */
function usualIn(jsons: readonly Json[], known: readonly string[]): [string, unknown][] {
  const [first = {}] = jsons;
  const ofAll = Object.keys(first).filter(
    field => !known.includes(field) && jsons.every(json => json[field] !== undefined),
  );
  return ofAll.flatMap((field): [string, unknown][] => {
    const value = mostFrequent(jsons.map(json => json[field]));
    const count = jsons.filter(json => isSame(json[field], value)).length;
    return count > jsons.length / 2 ? [[field, value]] : [];
  });
}

function mostFrequent(values: readonly unknown[]): unknown {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(canonical(value), (counts.get(canonical(value)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return values.find(value => counts.get(canonical(value)) === most);
}

/** A word for each path: its last one, with a number where an earlier one has that word too. */
function named(paths: readonly string[]): Map<string, string> {
  const taken = new Set<string>(NOT_FREE);
  return new Map(
    paths.map(path => {
      const words = path.split('.').filter(word => /^[A-Za-z]\w*$/.test(word));
      const word = words.at(-1) ?? 'value';
      let name = word;
      for (let number = 2; taken.has(name); number += 1) name = `${word}${number}`;
      taken.add(name);
      return [path, name] as const;
    }),
  );
}

/** Words that a program has already, and those that name nothing in TypeScript. */
const NOT_FREE = [
  ...['own', 'stack', 'app', 'machine', 'machines', 'break', 'case', 'catch', 'class', 'const', 'continue'],
  ...['debugger', 'default', 'delete', 'do', 'else', 'enum', 'export', 'extends', 'false', 'finally', 'for'],
  ...['function', 'if', 'import', 'in', 'instanceof', 'new', 'null', 'return', 'super', 'switch', 'this'],
  ...['throw', 'true', 'try', 'typeof', 'var', 'void', 'while', 'with', 'yield', 'let', 'static', 'await'],
];

/** Whether a value has a column in it. */
export function hasColumn(value: unknown): boolean {
  if (value instanceof Column) return true;
  if (Array.isArray(value)) return value.some(hasColumn);
  return isRecord(value) && Object.values(value).some(hasColumn);
}
