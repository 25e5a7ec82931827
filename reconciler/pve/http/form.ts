import { pveText } from '../keys/property-string';

/** What a request may carry: undefined is left out, booleans become 1 and 0, lists become repeated keys. */
export type PveParams = Record<string, string | number | boolean | string[] | undefined>;

/** Encodes parameters for a query or a form. Every value is escaped whole: Proxmox cuts at a bare `;` or second `=`. */
export function encodeForm(params: PveParams): string {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined) continue;
    for (const single of Array.isArray(value) ? value : [value]) form.append(key, pveText(single));
  }
  return form.toString();
}
