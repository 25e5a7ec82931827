import { PVE_KEYS, type PveKey } from './pve-keys';

/** What PVE knows by this name, with its index where the key is numbered; undefined when PVE has no such key. */
export function pveKey(name: string): { key: PveKey; index?: number } | undefined {
  const exact = name === 'numa[n]' || !Object.hasOwn(PVE_KEYS, name) ? undefined : PVE_KEYS[name];
  if (exact !== undefined && exact.last === undefined) return { key: exact };
  const [, base = '', digits] = /^([a-z]+)(0|[1-9]\d*)$/.exec(name) ?? [];
  const key =
    base === 'numa' ? PVE_KEYS['numa[n]'] : Object.hasOwn(PVE_KEYS, base) ? PVE_KEYS[base] : undefined;
  return key?.last === undefined || digits === undefined ? undefined : { key, index: Number(digits) };
}
