import { KEYS } from './keys';
import type { PveKey, PveProperty } from './pve-key';

const ROWS: ReadonlyMap<string, PveKey> = new Map(Object.entries(KEYS));

/** The name in the table of each key with a number: a plan of thousands of machines asks for millions. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [...ROWS.keys()].flatMap(name => keysOf(name).map(key => [key, name] as const)),
);

/** A key with its index written as [n]: `net[n]` for `net0`, and `audio0` for `audio0`. */
export function keyName(key: string): string {
  return NAMES.get(key) ?? beyond(key);
}

/** A number above the last one of today may be one of a newer Proxmox. */
function beyond(key: string): string {
  const general = key.replace(/\d+$/, '[n]');
  return ROWS.has(general) ? general : key;
}

/** What Proxmox says about a key such as `net0`; undefined for what is no key of a configuration. */
export function keyRow(key: string): PveKey | undefined {
  return ROWS.get(keyName(key));
}

/** A place in a configuration: a key, or one property inside its property string. */
export interface KeyPlace {
  key: string;
  property?: string;
}

/** What is said alike of a key and of a property. */
export type PlaceRow = Pick<PveProperty, 'kind' | 'default' | 'same'>;

/** What Proxmox says about a place; undefined where it says nothing of note. */
export function placeRow({ key, property }: KeyPlace): PlaceRow | undefined {
  return property === undefined ? keyRow(key) : propertyRow(key, property);
}

/** What Proxmox says about a property inside a key's property string; undefined where it says nothing of note. */
export function propertyRow(key: string, property: string): PveProperty | undefined {
  const properties = keyRow(key)?.properties ?? {};
  return Object.hasOwn(properties, property) ? properties[property] : undefined;
}

/** The keys of one row of the table, lowest number first: `net0` to `net31` for `net[n]`. */
export function keysOf(name: string): string[] {
  const last = ROWS.get(name)?.last;
  if (last === undefined) return [name];
  return Array.from({ length: last + 1 }, (_, index) => name.replace('[n]', String(index)));
}
