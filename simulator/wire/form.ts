import type { RawParameters } from '../schema/check';
import { unescapePercent } from './percent';

/**
 * Decodes a form or a query, as bytes (latin1), the way Proxmox does: pairs end at `&` and at `;`, a value ends at the second `=`,
 * a repeated key becomes a list, a key without `=` has no value and so is absent.
 */
export function decodeForm(text: string): RawParameters {
  const params: RawParameters = {};
  if (text === '') return params;
  for (const pair of text.split(/[&;]/)) {
    const [key = '', value] = pair.split('=', 3);
    if (key === '' && value === undefined) continue;
    const name = unescapePercent(key.replaceAll('+', ' '));
    if (value === undefined) {
      // PVE: split drops a trailing empty field, so `a=` is empty text but `a` alone is nothing
      if (params[name] === undefined) params[name] = undefined;
      continue;
    }
    add(params, name, unescapePercent(value.replaceAll('+', ' ')));
  }
  return params;
}

function add(params: RawParameters, name: string, value: string): void {
  const before = params[name];
  if (before === undefined) params[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else params[name] = [before, value];
}
