import type { HeldSnapshot, PlanContext } from '../machine/plan-context';
import type { ObservedGuest } from '../observed';
import { canSnapshot, listSnapshots, type Snapshot } from '../pve';
import type { NewPlace } from './place/of-new';
import type { Run } from './run';
import type { Wanted } from './wanted';

/** Reads a guest's snapshots where something is wanted of them, and whether one can be taken where one lacks. */
export async function heldSnapshots(
  { pve }: Run,
  { snapshots = [] }: Wanted,
  guest: ObservedGuest,
): Promise<Pick<PlanContext, 'held'>> {
  if (snapshots.length === 0) return {};
  const list = (await listSnapshots(pve, guest)).map(heldSnapshot);
  const lacks = snapshots.some(({ name }) => !list.some(held => held.name === name));
  return { held: { list, ...(lacks && { isPossible: await canSnapshot(pve, guest) }) } };
}

function heldSnapshot({ name, parent, description, snaptime, vmstate, snapstate }: Snapshot): HeldSnapshot {
  return {
    name,
    parent,
    description: description ?? '',
    taken: snaptime ?? 0,
    hasMemory: vmstate === true,
    isPartial: snapstate !== undefined,
  };
}

/** The place of a new machine, with what it is cloned from: whether that can be kept in snapshots is told before. */
export async function withSource(run: Run, { snapshots }: Wanted, place: NewPlace): Promise<NewPlace> {
  const { source } = place;
  if (snapshots === undefined || source === undefined || source.config !== undefined) return place;
  return { ...place, source: { ...source, config: await run.places.configOf(source) } };
}
