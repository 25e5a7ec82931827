import { canonical, isRecord } from '../../../spec';
import type { Json } from '../spec/said';

/** What each field of a machine is made of, by field: two machines have the same here where one template says it. */
export type Kinds = ReadonlyMap<string, string>;

/** Every machine has it, and each another one. */
const WHO = ['id', 'vmid'];

/** What differs between machines that somebody calls alike, by path: a column of their table. */
const ITS_OWN =
  /^(?:id|vmid|name|description|tags|pool|power|memory|cpu\.cores|disks\.\d+\.(?:size|storage)|networks\.\d+\.(?:bridge|vlan|macAddress|ipv[46]\.(?:address|gateway)))$/;
/** Fields that have such a path, and so cannot be another one as a whole beside a row. */
const HAS_COLUMNS = ['name', 'description', 'tags', 'pool', 'power', 'memory', 'cpu', 'disks', 'networks'];

export function kindsOf(json: Json): Kinds {
  const fields = Object.entries(json).filter(([field]) => !WHO.includes(field));
  return new Map(
    fields.map(([field, value]) => {
      const own = new Map(
        [...valuesIn(value, field)].flatMap(([path]) => (mayBeColumn(path) ? [[path, null]] : [])),
      );
      return [field, JSON.stringify(withValues(value, field, own))];
    }),
  );
}

export function mayBeColumn(path: string): boolean {
  return ITS_OWN.test(path);
}

/** Whether a machine of a template may say another value of this field beside its row. */
export function mayBeOwn(field: string): boolean {
  return !HAS_COLUMNS.includes(field);
}

/** The single values in what somebody says of a machine, by their paths. A list of words is one value. */
export function valuesIn(value: unknown, path: string): Map<string, unknown> {
  const entries = isDeviceList(value)
    ? value.map((each, index) => [String(index), each] as const)
    : isRecord(value)
      ? Object.entries(value)
      : undefined;
  if (entries === undefined) return new Map([[path, value]]);
  return new Map(entries.flatMap(([name, inner]) => [...valuesIn(inner, `${path}.${name}`)]));
}

/** The same, with other values at these paths. */
export function withValues(value: unknown, path: string, values: ReadonlyMap<string, unknown>): unknown {
  if (values.has(path)) return values.get(path);
  if (isDeviceList(value)) return value.map((each, index) => withValues(each, `${path}.${index}`, values));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withValues(inner, `${path}.${name}`, values)]),
  );
}

function isDeviceList(value: unknown): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0 && value.every(each => isRecord(each));
}

export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}
