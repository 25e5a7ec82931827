import { keyRow } from '../pve/keys/key-row';
import type { PveKey } from '../pve/keys/pve-key';
import { parseProperties, printProperties, type Properties } from '../pve/keys/property-string';

/** A guest's configuration as one read gave it: keys and their texts. */
export type Configuration = Readonly<Record<string, string>>;

/** What the configuration will be after the next start; the very same object when nothing waits. */
export function nextConfiguration(
  current: Configuration,
  pending: Readonly<Record<string, string | null>>,
): Configuration {
  if (Object.keys(pending).length === 0) return current;
  const next: Record<string, string> = { ...current };
  for (const [key, value] of Object.entries(pending)) {
    if (value === null) delete next[key];
    else next[key] = value;
  }
  return next;
}

/** The texts that were last read, by their row in the table: one plan asks for the same few dozens of times. */
const recent = new Map<PveKey | undefined, Map<string, Readonly<Properties>>>();
const MOST_RECENT = 100;

/** The properties of a key's property string; empty for an absent key. */
export function propertiesOf(key: string, text = ''): Readonly<Properties> {
  const row = keyRow(key);
  const ofRow = recent.get(row) ?? new Map<string, Readonly<Properties>>();
  recent.set(row, ofRow);
  const properties = ofRow.get(text) ?? parseProperties(row ?? {}, text);
  if (ofRow.size >= MOST_RECENT) ofRow.clear();
  ofRow.set(text, properties);
  return properties;
}

/** Writes properties back as the key's property string; empty where there is none. */
export function propertyText(key: string, properties: Properties): string {
  const row = keyRow(key);
  const required = Object.keys(properties).length > 0 ? row?.required : undefined;
  return printProperties(row ?? {}, { ...required, ...properties });
}
