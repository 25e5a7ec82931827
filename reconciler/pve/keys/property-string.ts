import type { PropertyKind, PropertyTable } from './property-tables';

/** A property string taken apart: keys by their full names, values by their meaning. */
export type Properties = Record<string, string | number | boolean>;

/**
 * Takes apart `virtio=BC:24:11:00:00:01,bridge=vmbr0`. Aliases are resolved, booleans and numbers read by the
 * table; a key that the table does not know is kept as text, for a newer Proxmox may know it.
 */
export function parseProperties(table: PropertyTable, text: string): Properties {
  const properties: Properties = {};
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    const given = equals < 0 ? (table.defaultKey ?? part) : part.slice(0, equals).trim();
    const value = equals < 0 ? part.trim() : part.slice(equals + 1);
    Object.assign(properties, entries(table, given, value));
  }
  return properties;
}

function entries(table: PropertyTable, given: string, value: string): Properties {
  const spread = table.spread;
  // `virtio=MAC` says two things: model=virtio and macaddr=MAC
  if (spread?.names.includes(given)) return { [spread.nameKey]: given, [spread.valueKey]: value };
  const key = table.aliases?.[given] ?? given;
  return { [key]: readValue(table.keys[key], value) };
}

const TRUE = ['1', 'on', 'yes', 'true'];
const FALSE = ['0', 'off', 'no', 'false'];

function readValue(kind: PropertyKind | undefined, value: string): string | number | boolean {
  const word = value.toLowerCase();
  if (kind === 'boolean' && TRUE.includes(word)) return true;
  if (kind === 'boolean' && FALSE.includes(word)) return false;
  if (kind === 'number' && value !== '' && Number.isFinite(Number(value))) return Number(value);
  return value;
}

/** Writes a property string as Proxmox prints it: the default key first, bare, then the rest by name. */
export function printProperties(table: PropertyTable, properties: Properties): string {
  const left: Properties = { ...properties };
  const parts: string[] = [];
  const { spread, defaultKey } = table;
  const name = spread && left[spread.nameKey];
  const value = spread && left[spread.valueKey];
  if (spread && name !== undefined && value !== undefined) {
    parts.push(`${writeValue(name)}=${writeValue(value)}`);
    delete left[spread.nameKey];
    delete left[spread.valueKey];
  }
  if (defaultKey !== undefined && left[defaultKey] !== undefined) {
    parts.push(writeValue(left[defaultKey]));
    delete left[defaultKey];
  }
  for (const key of Object.keys(left).sort()) {
    const rest = left[key];
    if (rest !== undefined) parts.push(`${key}=${writeValue(rest)}`);
  }
  return parts.join(',');
}

function writeValue(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
}

/** Whether two property strings mean the same, whatever their spelling and order. */
export function sameProperties(table: PropertyTable, one: string, other: string): boolean {
  const left = parseProperties(table, one);
  const right = parseProperties(table, other);
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every(key => sameValue(table, key, left[key], right[key]));
}

function sameValue(
  table: PropertyTable,
  key: string,
  left: Properties[string] | undefined,
  right: Properties[string] | undefined,
): boolean {
  if (table.keys[key] === 'mac') return String(left).toLowerCase() === String(right).toLowerCase();
  return left === right;
}
