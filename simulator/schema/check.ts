import { failParameters } from '../failure';
import { findNamed } from '../own-keys';
import { checkParts, propertiesOfParts } from './check-parts';
import { checkObject, noErrors, wireText } from './check-value';
import type { Endpoint, Property } from './endpoint';

/** Parameters as the wire gave them: text, booleans and numbers from JSON, lists from repeated keys. */
export type RawParameters = Record<string, unknown>;

const expanded = new WeakMap<Endpoint, Record<string, Property>>();

/** An endpoint's parameters by their names; `net[n]` and its like written out. */
export function parametersOf(endpoint: Endpoint): Record<string, Property> {
  const known = expanded.get(endpoint);
  if (known) return known;
  const properties: Record<string, Property> = {};
  const { allOf, properties: plain = {} } = endpoint.parameters;
  for (const [key, property] of Object.entries(allOf ? propertiesOfParts(allOf) : plain)) {
    const { min, max } = property.index ?? { min: 0, max: 0 };
    if (property.index === undefined) properties[key] = property;
    else for (let n = min; n <= max; n += 1) properties[key.replace('[n]', String(n))] = property;
  }
  expanded.set(endpoint, properties);
  return properties;
}

/** Checked parameters: text, and apart the few lists and the names that were sent without a value. Fails with one text per parameter, as Proxmox words them. */
export function checkParameters(
  endpoint: Endpoint,
  raw: RawParameters,
): { params: Record<string, string>; lists: Record<string, string[]>; empty: string[] } {
  const properties = parametersOf(endpoint);
  const values = adaptLists(properties, raw);
  const errors = noErrors();
  const { allOf, additionalProperties } = endpoint.parameters;
  if (allOf) checkParts(values, allOf, errors);
  else checkObject(values, properties, '', errors, additionalProperties !== false);
  if (Object.keys(errors).length > 0) failParameters(errors);

  const params: Record<string, string> = {};
  const lists: Record<string, string[]> = {};
  const empty: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (Array.isArray(value)) lists[key] = value.map(wireText);
    else if (value === undefined || value === null) empty.push(key);
    else params[key] = wireText(value);
  }
  return { params, lists, empty };
}

/** A list for a `-list` text is joined by commas; a text for a list becomes a list of one. Perl's false values stay. */
function adaptLists(properties: Record<string, Property>, raw: RawParameters): RawParameters {
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => {
      const { type, format } = findNamed(properties, key) ?? {};
      const isList = typeof format === 'string' && format.endsWith('-list');
      if (Array.isArray(value) && type === 'string' && isList) return [key, value.map(wireText).join(',')];
      const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      if (scalar && type === 'array' && value !== '' && value !== '0' && value !== 0) return [key, [value]];
      return [key, value];
    }),
  );
}
