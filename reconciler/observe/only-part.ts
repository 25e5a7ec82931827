/** What PVE shows of a guest while it makes it (behaviour.md, section 14). */
const OF_A_CREATION = ['lock', 'digest'];

/**
 * Whether a guest that a lock keeps is only a part of one, and no use to anybody once nothing works on it. PVE: a creation
 * shows nothing but its lock until its end, and a restore over a guest that was whole takes the same lock: that one keeps
 * its lines, and may have all its disks.
 */
export function isOnlyPart(lock: string | undefined, current: Readonly<Record<string, string>>): boolean {
  if (lock === 'clone') return true;
  return lock === 'create' && Object.keys(current).every(key => OF_A_CREATION.includes(key));
}
