import type { Losses, LostVolume } from '../../../spec';
import { isDear } from '../../guest/losses';
import { linesOfMost, usedByOthers } from '../../observe/volume-use';
import { linesOfAll } from '../../observe/volume-users';
import type { ObservedGuest } from '../../observed';
import type { Run } from '../run';

/**
 * The volumes that go with a guest and that other guests use. PVE lists volumes by their number only: who uses one, the
 * configurations tell. All guests are read where a volume goes that our mark does not explain (one that is unused, or that
 * somebody attached), else so many at most, which all machines of a process share (docs/adr/0020).
 */
export async function othersUsing(
  { pve, shared, signal }: Run,
  { vmid }: Pick<ObservedGuest, 'vmid'>,
  { volumes }: Losses,
): Promise<{ volume: string; guest: string }[]> {
  const dear = volumes.filter(isDear);
  if (dear.length === 0) return [];
  const guests = await (dear.some(isUnexplained) ? linesOfAll(pve) : shared.guestLines.soon(signal));
  return usedByOthers(
    guests,
    dear.map(({ volume }) => volume),
    vmid,
  );
}

/** Whether somebody else may have had to do with it: our mark does not name its slot. */
export function isUnexplained({ kind, disk }: LostVolume): boolean {
  return kind === 'unused' || (kind === 'disk' && disk === undefined);
}
