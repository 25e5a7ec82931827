/** What is taken from an answer that may be anything: each function gives nothing where the value is of another kind. */

export type Row = Record<string, unknown>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

export function rowOf(value: unknown): Row {
  return isRow(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A word of Proxmox; any other text is none. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w+.-]{1,60}$/.test(value) ? value : undefined;
}

/** A whole number, 0 or more, also where it came as text. */
export function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined;
  const whole = Math.floor(number);
  return Number.isSafeInteger(whole) ? whole : undefined;
}

/** A flag as Proxmox writes it: 1, "1" or true. */
export function flagOf(value: unknown): boolean {
  return value === 1 || value === '1' || value === true;
}

/** A value of a configuration as its file holds it. */
export function configTextOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'boolean' ? String(Number(value)) : undefined;
}

export function listOf(text: unknown): string[] {
  return typeof text === 'string' ? text.split(/[\s,;]+/).filter(part => part !== '') : [];
}

/** An object without the fields that are undefined. */
export function given(fields: Row): Row {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
