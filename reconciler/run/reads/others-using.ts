import type { Losses, LostVolume } from '../../../spec';
import { isDear } from '../../guest/losses';
import { SharedReading, orInterrupt } from '../../observe/shared-reads';
import {
  linesOfAll,
  linesOfMost,
  usedByOthers,
  type AllGuests,
  type GuestLines,
  type VolumeUser,
} from '../../observe/volume-users';
import type { ObservedGuest } from '../../observed';
import type { Run } from '../run';

/** What the guests say: all of them, or so many at most. */
export interface LinesOfOthers {
  all: () => Promise<GuestLines[]>;
  most: () => Promise<GuestLines[]>;
}

/** Read once for all that are looked at together. Never for what sends a DELETE next: that one reads anew. */
export function readOnce(run: Run): LinesOfOthers {
  const lines = readNow(run);
  const begunAt = performance.now();
  const [all, most] = [new SharedReading(lines.all), new SharedReading(lines.most)];
  return { all: () => all.since(begunAt), most: () => most.since(begunAt) };
}

function readNow({ pve, shared, signal, reading }: Run): LinesOfOthers {
  const { leftOut } = reading;
  // other runs leave no node out
  const own = async (): Promise<GuestLines[]> =>
    linesOfMost(pve, (await reading.listRecently()).guests, leftOut);
  return {
    all: () => linesOfAll(pve, { leftOut }),
    most: leftOut.size === 0 ? () => shared.guestLines.soon(signal) : own,
  };
}

/**
 * The volumes that go with a guest and that other guests use. PVE lists volumes by their number only: who uses one, the
 * configurations tell. All guests are read where a volume goes that our mark does not explain (one that is unused, or that
 * somebody attached), else so many at most, which all machines of a process share (docs/adr/0020).
 */
export async function othersUsing(
  run: Run,
  { vmid }: Pick<ObservedGuest, 'vmid'>,
  { volumes }: Losses,
  { all, most } = readNow(run),
): Promise<VolumeUser[]> {
  const dear = volumes.filter(isDear);
  if (dear.length === 0) return [];
  const guests = await (dear.some(isUnexplained) ? all() : most());
  return usedByOthers(
    guests,
    dear.map(({ volume }) => volume),
    vmid,
  );
}

/** Plans of many machines share one reading so long. */
const LATELY_MS = 30_000;

/** All guests as they were half a minute ago at most: for plans. Before the write `userNow` asks again. */
export function allGuestsLately({ shared, signal }: Run): Promise<AllGuests> {
  return orInterrupt(shared.allGuests.recent(LATELY_MS), signal);
}

/** Who uses one of these volumes now: so many guests at most are asked, as for a destroy. For what sends a write next. */
export async function userNow(
  run: Run,
  volumes: readonly string[],
  own: number,
): Promise<VolumeUser | undefined> {
  const [used] = usedByOthers(await readNow(run).most(), volumes, own);
  // the next plan is to see it too
  if (used !== undefined) run.shared.allGuests.forget();
  return used;
}

/** Whether somebody else may have had to do with it: our mark does not name its slot. */
export function isUnexplained({ kind, disk }: LostVolume): boolean {
  return kind === 'unused' || (kind === 'disk' && disk === undefined);
}
