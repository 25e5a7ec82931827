import type { StandsStillError } from '../errors';
import type { Outcome } from '../life/reconcile-machine';
import { seeGuest, unseenGuest } from '../outputs/read-guest';
import { isOneLess, type Pve } from '../pve';
import type { MachineRecord } from './machine-record';

/** How long addresses and snapshots of a guest that does not change are recent enough. */
const SEEN_MS = 300_000;

/** Reads a guest that stands still for its outputs, which tell that. False: it cannot be read, for whatever reason. Never throws. */
export async function seenStill(
  record: MachineRecord,
  { guest }: StandsStillError,
  pve: Pve,
): Promise<boolean> {
  try {
    record.see(await seeGuest(pve, guest));
  } catch {
    return false;
  }
  record.stands({ kind: 'as-wanted', guest });
  return true;
}

/** Reads what only the outputs tell, where the guest has changed or it is long ago. */
export async function see(record: MachineRecord, outcome: Outcome, pve: Pve): Promise<void> {
  const guest = outcome.kind === 'paused' ? undefined : outcome.guest;
  if (guest === undefined) return record.see(undefined);
  if (record.isSeenAs(outcome) && performance.now() < record.seenUntil) return;
  try {
    record.see(await seeGuest(pve, guest));
    // not all of them in one round
    record.seenUntil = performance.now() + SEEN_MS * (0.5 + Math.random() / 2);
  } catch (error) {
    if (!isOneLess(error)) throw error;
    // went, moved or stopped meanwhile: the next round tells
    record.seeAgain(unseenGuest(pve, guest));
  }
}
