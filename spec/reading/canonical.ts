import { isRecord } from './path';

/**
 * The one JSON text of a value: keys sorted, nothing that is null or undefined, no spaces.
 * Give it a parsed value: parsing makes "4Gi" and 4294967296, or two spellings of a MAC address, the same.
 */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const kept = Object.keys(value).filter(key => value[key] !== null && value[key] !== undefined);
  return Object.fromEntries(kept.sort(byCodeUnit).map(key => [key, sorted(value[key])]));
}

// Not localeCompare: the text must not depend on the machine's language.
function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
