import type { ValueKind, PveKey } from './pve-key';

/** What the row of a key says of its property string. */
type Table = Pick<PveKey, 'bare' | 'aliases' | 'pair' | 'properties'>;

/** A property string taken apart: keys by their full names, values by their meaning. */
export type Properties = Record<string, string | number | boolean>;

/**
 * Takes apart `virtio=BC:24:11:00:00:01,bridge=vmbr0`. Aliases are resolved, booleans and numbers read by the
 * table; a key that the table does not know is kept as text, for a newer Proxmox may know it.
 */
export function parseProperties(table: Table, text: string): Properties {
  const properties: Properties = {};
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    const given = equals < 0 ? (table.bare ?? part) : part.slice(0, equals).trim();
    const value = equals < 0 ? part.trim() : part.slice(equals + 1);
    put(properties, table, given, value);
  }
  return properties;
}

function put(
  properties: Properties,
  { pair, aliases, properties: rows }: Table,
  given: string,
  value: string,
): void {
  // `virtio=MAC` says two things: model=virtio and macaddr=MAC
  if (pair?.names.includes(given)) {
    properties[pair.name] = given;
    properties[pair.value] = value;
    return;
  }
  const key = aliases?.[given] ?? given;
  properties[key] = readValue(rows?.[key]?.kind, value);
}

function readValue(kind: ValueKind | undefined, value: string): string | number | boolean {
  if (kind === 'boolean') return booleanOf(value) ?? value;
  const isNumber = kind === 'number' || kind === 'mebibytes';
  return isNumber && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** What Proxmox reads as a switch; undefined for every other text. */
export function booleanOf(text: string): boolean | undefined {
  if (/^(?:1|on|yes|true)$/i.test(text)) return true;
  return /^(?:0|off|no|false)$/i.test(text) ? false : undefined;
}

/** Writes a property string as Proxmox prints it: the bare property first, then the rest by name. */
export function printProperties(table: Table, properties: Properties): string {
  const left: Properties = { ...properties };
  const parts: string[] = [];
  const { pair, bare } = table;
  const name = pair && left[pair.name];
  const value = pair && left[pair.value];
  if (pair && name !== undefined && value !== undefined) {
    parts.push(`${pveText(name)}=${pveText(value)}`);
    delete left[pair.name];
    delete left[pair.value];
  }
  if (bare !== undefined && left[bare] !== undefined) {
    parts.push(pveText(left[bare]));
    delete left[bare];
  }
  for (const key of Object.keys(left).sort()) {
    const rest = left[key];
    if (rest !== undefined) parts.push(`${key}=${pveText(rest)}`);
  }
  return parts.join(',');
}

/** A value as Proxmox takes it: booleans are 1 and 0. */
export function pveText(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
}
