import type { Configuration } from './configuration';

/**
 * Which life of its disks a guest leads. PVE draws a new vmgenid at each rollback and in each copy (recording 50), and
 * never else. Undefined: it is switched off, or was not read.
 */
export function generationOf({ vmgenid }: Configuration): string | undefined {
  return vmgenid === undefined || vmgenid === '0' ? undefined : vmgenid.slice(0, 8);
}

/** Whether a guest was rolled back, or restored from a backup, since it had this generation. Not where one is not known. */
export function isBroughtBack(then: string | undefined, config: Configuration): boolean {
  const now = generationOf(config);
  return then !== undefined && now !== undefined && then !== now;
}
