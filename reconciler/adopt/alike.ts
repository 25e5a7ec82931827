import { canonical, isRecord } from '../../spec';
import type { Json } from './spec/said';

/** A machine as its program says it; `beside`: what stands with it, and must be the same for all of a loop. */
export interface Written {
  json: Json;
  beside: readonly string[];
}

/** Machines that say the same but for who they are. One alone has no columns. */
export interface Alike {
  /** What they all say; where they differ, the hole of a column. */
  json: Json;
  beside: readonly string[];
  /** Names of what differs: `id`, `vmid`, `macAddress`. */
  columns: readonly string[];
  /** The values of each machine, in the order of the columns. */
  rows: readonly (readonly unknown[])[];
}

/** Who a machine is: what may differ between machines of one loop. */
const ITS_OWN = [
  /^(?:id|name|vmid|description)$/,
  /^networks\.\d+\.(?:macAddress|ipv4\.address|ipv6\.address)$/,
];

/** Stands in no text of a guest: where it does, nothing is put together. */
const MARK = '\ue000';

export function holeOf(column: string): string {
  return `${MARK}${column}${MARK}`;
}

/** Puts machines that are alike together, at the place of the first of them. */
export function alikes(machines: readonly Written[]): Alike[] {
  const groups = new Map<string, Written[]>();
  machines.forEach((machine, index) => {
    const isPlain = !canonical(machine.json).includes(MARK);
    const key = isPlain ? canonical([withHoles(machine.json, () => MARK), machine.beside]) : `${index}`;
    groups.set(key, [...(groups.get(key) ?? []), machine]);
  });
  return [...groups.values()].map(together);
}

function together(group: readonly Written[]): Alike {
  const [first = { json: {}, beside: [] }, ...others] = group;
  if (others.length === 0) return { ...first, columns: [], rows: [] };
  const own = group.map(({ json }) => ownOf(json));
  const paths = Object.keys(own[0] ?? {}).filter(path => new Set(own.map(values => values[path])).size > 1);
  const names = new Map(paths.map((path, index) => [path, columnOf(path, paths.slice(0, index))]));
  const json = withHoles(first.json, (path, value) => {
    const name = names.get(path);
    return name === undefined ? value : holeOf(name);
  });
  const rows = own.map(values => paths.map(path => values[path]));
  return { json, beside: first.beside, columns: [...names.values()], rows };
}

/** The last word of a path; with a number where an earlier one has that word, too. */
function columnOf(path: string, earlier: readonly string[]): string {
  const wordOf = (each: string): string => each.split('.').at(-1) ?? each;
  const count = earlier.filter(each => wordOf(each) === wordOf(path)).length;
  return count === 0 ? wordOf(path) : `${wordOf(path)}${count + 1}`;
}

function ownOf(json: Json): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  withHoles(json, (path, value) => (own[path] = value));
  return own;
}

/** The same machine, with another value wherever it says who it is. */
function withHoles(json: Json, valueAt: (path: string, value: unknown) => unknown): Json {
  const walk = (value: unknown, path: string): unknown => {
    if (ITS_OWN.some(form => form.test(path))) return valueAt(path, value);
    const inside = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
    if (Array.isArray(value)) return value.map((each: unknown, index) => walk(each, inside(index)));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each, inside(key))]));
  };
  return Object.fromEntries(Object.entries(json).map(([key, each]) => [key, walk(each, key)]));
}
