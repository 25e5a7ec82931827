import { sameMark, type Mark } from '../mark/mark';
import type { ObservedGuest } from '../observed';
import { PveError, readConfig, type GuestAddress, type GuestConfig, type Pve } from '../pve';
import { uuidOf } from '../guest/uuid';
import { descriptionOf, hasUuidOf, observedGuest } from './guest';

/** Says something to whoever watches the run. */
export type Warn = (text: string) => void;

/**
 * Reads a guest directly before a write to it (nothing of ours stands between the two requests), and after a round. Throws `changed` where
 * it is not ours any more, or where another run wrote its mark. `warn` is given where this run has stopped the guest:
 * whoever finds it off is told why.
 */
export async function sameGuest(pve: Pve, guest: ObservedGuest, warn?: Warn): Promise<ObservedGuest> {
  const config = await readConfig(pve, guest);
  const { mark, isDamaged } = descriptionOf(config);
  const place = `guest ${guest.vmid} on ${guest.node}`;
  const isOurs = !isDamaged && isSameMachine(mark, guest.mark) && mark?.entry === guest.mark?.entry;
  if (!isOurs || !hasItsUuid(config, mark, guest)) {
    warn?.(`${place} is not ours any more, and was stopped by this run. It is left alone.`);
    throw changed(guest, `${place} is not ours any more: its mark or its uuid is another`);
  }
  if (!sameMark(mark, guest.mark)) throw changed(guest, `the mark of ${place} was written by another run`);
  // power, pool and HA stay as they were known: only the configuration was read
  return observedGuest(guest, config);
}

/** The same, also where its mark is not the one that was read: a run writes it more than once. */
export async function sameMachine(pve: Pve, guest: ObservedGuest): Promise<ObservedGuest> {
  const config = await readConfig(pve, guest);
  const { mark, isDamaged } = descriptionOf(config);
  if (isDamaged || !isSameMachine(mark, guest.mark) || !hasItsUuid(config, mark, guest))
    throw changed(guest, `guest ${guest.vmid} on ${guest.node} is not ours any more`);
  return observedGuest(guest, config);
}

/** One of these two; undefined where it throws `changed`, or where somebody moved or removed the guest. */
export async function ifSame(reading: Promise<ObservedGuest>): Promise<ObservedGuest | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PveError && (error.kind === 'changed' || error.kind === 'not-found'))
      return undefined;
    throw error;
  }
}

/** The error of a guest that is not as it was read: then it is read and planned anew. */
export function changed({ node, vmid }: GuestAddress, text: string): PveError {
  return new PveError('changed', { method: 'GET', path: `/nodes/${node}/qemu/${vmid}/pending`, text });
}

function isSameMachine(mark: Mark | undefined, before: Mark | undefined): boolean {
  return mark?.owner === before?.owner && mark?.machine === before?.machine && mark?.uuid === before?.uuid;
}

/** Until its first configuration is in effect, a clone has a uuid that nobody chose: then the mark alone tells. */
function hasItsUuid(config: GuestConfig, mark: Mark | undefined, guest: ObservedGuest): boolean {
  if (mark === undefined) return uuidOf(config.current) === uuidOf(guest.current);
  return mark.isUnfinished === true || hasUuidOf(mark, config);
}
