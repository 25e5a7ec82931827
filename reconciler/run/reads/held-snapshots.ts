import { isSecretKey } from '../../guest/key-kinds';
import type { HeldSnapshot, PlanContext } from '../../machine/plan-context';
import type { ObservedGuest } from '../../observed';
import { guardsKept, mayHoldGuard } from '../../plan/snapshots/guard';
import { revertTarget } from '../../plan/snapshots/plan-revert';
import { isToBeTemplate } from '../../plan/template';
import { canSnapshot, listSnapshots, readSnapshot, type Pve, type Snapshot } from '../../pve';
import type { Run } from '../run';
import type { Wanted } from '../wanted';

/**
 * Reads a guest's snapshots where something is wanted of them, and what decides whether that can be done; and of one that
 * is to be a template, which Proxmox makes of none that has any. `isMade`: by this run, so that nobody has taken one.
 */
export async function heldSnapshots(
  { pve }: Run,
  wanted: Wanted,
  guest: ObservedGuest,
  isMade = false,
): Promise<Pick<PlanContext, 'held'>> {
  const { snapshots = [], only, spec } = wanted;
  const isGuarded = guardsKept(spec) !== undefined && only === undefined && !guest.template;
  const to = revertsTo(wanted, guest);
  const isAsked = snapshots.length > 0 || to !== undefined || only !== undefined || isGuarded;
  const turns = !isMade && isToBeTemplate(spec, guest);
  if (!isAsked && !turns && !mayHoldGuard(guest)) return {};
  const list = (await listSnapshots(pve, guest)).map(heldSnapshot);
  const lacks = isGuarded || snapshots.some(({ name }) => !list.some(held => held.name === name));
  const config = list.some(({ name }) => name === to) ? await configOf(pve, guest, to ?? '') : undefined;
  const isPossible = lacks && (await canSnapshot(pve, guest));
  return { held: { list, ...(lacks && { isPossible }), ...(config && { config }) } };
}

/** The snapshot to go back to, unless that is known to be done. */
function revertsTo({ spec, revert }: Wanted, { mark }: ObservedGuest): string | undefined {
  if (revert !== undefined) return revert;
  return spec.revertTo === mark?.r && mark?.q === undefined ? undefined : revertTarget(spec);
}

/** What a snapshot keeps, without secrets: PVE shows the password there (behaviour.md §6). */
async function configOf(pve: Pve, guest: ObservedGuest, name: string): Promise<Record<string, string>> {
  const config = await readSnapshot(pve, guest, name);
  return Object.fromEntries(Object.entries(config).filter(([key]) => !isSecretKey(key)));
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
