/**
 * One thing that the spec wants of a guest's configuration: a whole key, or one property inside a property string.
 * What nobody wants is never touched.
 */
export interface Want {
  /** The field in the spec's words: `cpu.cores`, `networks[lan].vlan`. */
  field: string;
  /** Proxmox's key: `cores`, `net0`. */
  key: string;
  /** The property inside the key's property string; absent: the whole value. */
  property?: string;
  /** The value in Proxmox's words; null: it must not be there. */
  value: WantValue | null;
  /** True: never shown in a plan, an event or an error. */
  secret?: boolean;
}

export type WantValue = string | number | boolean;

/** Where the fields of a part stand in Proxmox: `key`, or `key.property`. */
export type FieldTable = Readonly<Record<string, string>>;

/** The wants of a table: one for each value that is set, in the table's order. */
export function wantsFrom(
  prefix: string,
  table: FieldTable,
  values: Readonly<Record<string, unknown>>,
): Want[] {
  return Object.entries(table).flatMap(([field, place]) => {
    const value = values[field];
    return isWantValue(value) ? [{ field: `${prefix}${field}`, ...placeOf(place), value }] : [];
  });
}

/** The wants of a table whose places are properties of one key. */
export function wantsInside(field: string, key: string, table: FieldTable, values: object): Want[] {
  return wantsFrom(`${field}.`, table, { ...values }).map(want => ({ ...want, key, property: want.key }));
}

/** The wants of properties of one key whose names and values stand in Proxmox's words already. */
export function wantsAsIs(field: string, key: string, values: object): Want[] {
  const table = Object.fromEntries(Object.keys(values).map(name => [name, name]));
  return wantsInside(field, key, table, values);
}

/** Takes `key.property` apart. */
export function placeOf(place: string): Pick<Want, 'key' | 'property'> {
  const dot = place.indexOf('.');
  return dot < 0 ? { key: place } : { key: place.slice(0, dot), property: place.slice(dot + 1) };
}

function isWantValue(value: unknown): value is WantValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
