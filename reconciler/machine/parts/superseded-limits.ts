import { BURST_LENGTHS, LIMIT_BURSTS, LIMIT_HALVES, type DiskSpec } from '../../../spec';
import type { FieldTable, Want } from '../want';
import type { Properties } from '../../pve/keys/property-string';

/**
 * Limits that a drive has, that the spec does not name, and that Proxmox refuses beside those that it does: a total
 * beside its half, a burst without its limit or below it. They go, for the drive's line cannot hold both.
 */
export function supersededLimits(
  { limits: said = {}, options = {} }: DiskSpec,
  have: Properties,
  table: FieldTable,
): Pick<Want, 'field' | 'property' | 'value'>[] {
  const names: Readonly<Record<string, number | undefined>> = said;
  const there = (limit: string): number => Number(have[table[limit] ?? limit] ?? 0);
  const isSaid = (limit: string): boolean => Number(names[limit] ?? 0) > 0;
  const gone = new Map<string, string>();
  const drop = (limit: string, cause: string): void => {
    if (names[limit] === undefined && there(limit) > 0) gone.set(limit, cause);
  };
  for (const [total, halves] of LIMIT_HALVES) {
    for (const half of halves) {
      if (isSaid(total)) drop(half, total);
      if (isSaid(half)) drop(total, half);
    }
  }
  for (const [burst, base] of LIMIT_BURSTS) {
    const cause = gone.get(base) ?? base;
    const usual = names[base];
    if (gone.has(base) || (usual !== undefined && (usual === 0 || usual > there(burst)))) drop(burst, cause);
  }
  for (const [length, burst] of Object.entries(BURST_LENGTHS)) {
    const cause = gone.get(burst) ?? (names[burst] === 0 ? burst : undefined);
    if (cause !== undefined && options[length] === undefined && there(length) > 0) gone.set(length, cause);
  }
  return [...gone].map(([limit, cause]) => ({
    field: `limits.${cause}`,
    property: table[limit] ?? limit,
    value: null,
  }));
}
