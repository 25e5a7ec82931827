import { Failure, fail } from '../failure';
import { findNamed } from '../own-keys';
import { checkObject, noErrors, propertiesOf, readPropertyString } from './check-value';
import { formatDiskSize } from './formats/disk-size';
import type { Property, PropertyStringFormat } from './endpoint';
import { defaultKeyOf } from './property-text';

/** A format by its registered name, or described in place. */
export type Format = string | PropertyStringFormat;

/** The values of a property string, aliases resolved, booleans as 1 and 0. Fails with Proxmox's texts. */
export function parsePropertyString(format: Format, text: string): Record<string, string> {
  return readPropertyString(format, text, '');
}

/** As `parsePropertyString`, but undefined where that fails. */
export function tryPropertyString(format: Format, text: string): Record<string, string> | undefined {
  try {
    return parsePropertyString(format, text);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The canonical text: default key first, then required keys, then the others, each by name. Sizes are given in bytes. */
export function printPropertyString(format: Format, values: Record<string, string | undefined>): string {
  const properties = propertiesOf(format);
  const present = Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const errors = noErrors();
  checkObject(present, properties, '', errors, true);
  if (Object.keys(errors).length > 0) throw new Failure(500, 'format error', errors);

  const defaultKey = defaultKeyOf(properties);
  const combined = combinedKey(properties, defaultKey);
  const keys = Object.keys(present).sort();
  const required = keys.filter(key => properties[key] && !properties[key].optional);
  const order = new Set([...(defaultKey === undefined ? [] : [defaultKey]), ...required, ...keys]);
  const parts: string[] = [];
  for (const key of order) {
    const value = present[key];
    if (
      value === undefined ||
      (key === combined && defaultKey !== undefined && present[defaultKey] !== undefined)
    )
      continue;
    const text = printValue(properties, key, value);
    const partner = key === defaultKey && combined !== undefined ? present[combined] : undefined;
    if (partner !== undefined) parts.push(`${text}=${printValue(properties, combined ?? '', partner)}`);
    else parts.push(key === defaultKey ? text : `${key}=${text}`);
  }
  return parts.join(',');
}

/** The key that is printed together with the default key, as in `virtio=MAC`. */
function combinedKey(
  properties: Record<string, Property>,
  defaultKey: string | undefined,
): string | undefined {
  return Object.values(properties).find(({ keyAlias }) => keyAlias !== undefined && keyAlias === defaultKey)
    ?.alias;
}

function printValue(properties: Record<string, Property>, key: string, value: string): string {
  const property = findNamed(properties, key);
  if (!property) fail(`invalid key '${key}'\n`);
  if (property.format === 'disk-size') return formatDiskSize(Number(value));
  if (value.includes(',')) fail(`illegal value with commas for ${key}\n`);
  return value;
}
