import { isDeepStrictEqual } from 'node:util';
import { writeDescription } from '../../mark/description';
import { sameMachine } from '../../observe/same-guest';
import type { ObservedGuest } from '../../observed';
import { PveError, writeConfig, type Pve } from '../../pve';

/** A description holds 8,192 characters: so many addresses are reported again, and no more. */
const MOST = 8;

/**
 * Keeps in the mark which addresses a guest told, for plans that find its agent silent. It is a help only: where
 * Proxmox does not take it, nothing fails, and a plan that finds no address noted has the next apply wait again.
 */
export async function noteAddresses(pve: Pve, guest: ObservedGuest, told: readonly string[]): Promise<void> {
  const addresses = told.slice(0, MOST);
  if (isDeepStrictEqual(guest.mark?.addresses, addresses)) return;
  try {
    // the configuration as it was read before the start is mostly that of now: Proxmox compares the digest
    if (guest.digest !== '' && (await isNoted(pve, guest, addresses))) return;
    await isNoted(pve, await sameMachine(pve, guest), addresses);
  } catch (error) {
    if (!(error instanceof PveError)) throw error;
  }
}

/** False where the guest is not as it was read any more. */
async function isNoted(
  pve: Pve,
  { mark, description: text, ...guest }: ObservedGuest,
  addresses: string[],
): Promise<boolean> {
  if (mark === undefined) return false;
  try {
    const description = writeDescription(text, { ...mark, addresses });
    await writeConfig(pve, guest, { description, digest: guest.digest });
    return true;
  } catch (error) {
    if (error instanceof PveError && error.kind === 'changed') return false;
    throw error;
  }
}
