import { fail } from '../failure';
import { findNamed } from '../own-keys';
import type { Property } from './endpoint';
import { perlBoolean } from '../perl-text';

/**
 * The parts of a property string by their proper keys: aliases resolved, boolean words as 1 and 0, values not
 * checked. Fails on what Proxmox cannot take apart.
 */
export function splitPropertyString(
  properties: Record<string, Property>,
  text: string,
): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  let defaultTaken = false;
  for (const part of text.split(',')) {
    if (/^\s*$/.test(part)) continue;
    const pair = /^([^=]+)=([^\n]+)\n?$/.exec(part);
    if (pair) {
      takePair(properties, values, pair[1] ?? '', pair[2] ?? '');
    } else if (part.includes('=')) {
      fail('missing key in comma-separated list property\n');
    } else {
      takeDefault(properties, values, part, defaultTaken);
      defaultTaken = true;
    }
  }
  return { ...values };
}

function takePair(
  properties: Record<string, Property>,
  values: Record<string, string>,
  key: string,
  text: string,
): void {
  if (key in values) fail(`duplicate key in comma-separated list property: ${key}\n`);
  const { alias, keyAlias } = findNamed(properties, key) ?? {};
  if (alias !== undefined && keyAlias !== undefined) {
    if (keyAlias in values) fail(`key alias '${keyAlias}' is already defined\n`);
    values[keyAlias] = key;
  }
  const proper = alias ?? key;
  // an unknown key is the check's business (recording 06, step 8)
  values[proper] = findNamed(properties, proper)?.type === 'boolean' ? perlBoolean(text) : text;
}

function takeDefault(
  properties: Record<string, Property>,
  values: Record<string, string>,
  text: string,
  taken: boolean,
): void {
  const key = defaultKeyOf(properties);
  if (key === undefined) fail('value without key, but schema does not define a default key\n');
  // Perl takes "0" for unset here
  const held = values[key];
  if (taken || (held !== undefined && held !== '0')) {
    fail(`duplicate key in comma-separated list property: ${key}\n`);
  }
  values[key] = text;
}

/** The key that may stand without its name. */
export function defaultKeyOf(properties: Record<string, Property>): string | undefined {
  return Object.keys(properties).find(key => properties[key]?.default_key);
}
