import type { FleetMachine } from '../../spec';
import type { ObservedStorage } from '../observed';

/** The storages that may keep a downloaded disk image, shared ones first; and why there is none. */
export function importStorages(
  { storage }: NonNullable<FleetMachine['image']>,
  all: readonly ObservedStorage[],
): { found: ObservedStorage[]; why: string } {
  const active = all.filter(one => one.active);
  const able = active.filter(({ content }) => content.includes('import'));
  const found = able.filter(({ name }) => storage === undefined || name === storage);
  found.sort((a, b) => Number(b.shared) - Number(a.shared) || (a.name < b.name ? -1 : 1));
  const names = able.map(({ name }) => name).join(', ') || 'none';
  if (storage === undefined) return { found, why: 'no storage there allows the content "import"' };
  const isThere = active.some(({ name }) => name === storage);
  const lack = isThere ? 'does not allow the content "import"' : 'not found';
  return { found, why: `storage '${storage}' ${lack}; these allow "import": ${names}` };
}
