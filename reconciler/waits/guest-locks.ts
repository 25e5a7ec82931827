import { isOnlyPart } from '../observe/only-part';
import { MAKES } from '../observe/refused-guest';
import type { ObservedCluster, ObservedGuest, ObservedMachine } from '../observed';
import { PveError, readStatus, type GuestAddress, type Pve } from '../pve';
import { taskText } from './running-task';
import { lockHolder } from './running-tasks';
import type { Waiting } from './waiting';

/** While one of these locks stands, what is read of a guest is only a part of it. */
const IN_PARTS = ['clone', 'create', 'rollback'];

/** The guest that is only partly there: what it differs by cannot be planned yet. */
export function partlyThere(have: ObservedMachine): ObservedGuest | undefined {
  if (have.kind !== 'present' && have.kind !== 'adoptable') return undefined;
  return IN_PARTS.includes(have.guest.lock ?? '') ? have.guest : undefined;
}

/** Which lock keeps everybody from changing a guest, and who holds it, for people. */
export async function lockText(pve: Pve, cluster: ObservedCluster, guest: ObservedGuest): Promise<string> {
  const { vmid, node, lock = '' } = guest;
  const what = `guest ${vmid} on ${node}, which is locked (${lock})`;
  if (lock === 'suspended') return `${what}: it was suspended to disk, and a start in Proxmox resumes it`;
  const holder = await lockHolder(pve, cluster, guest, lock);
  if (holder) return `${what} by ${taskText(holder)}`;
  const unseen = `${what} by no task that can be seen: if none runs,`;
  const unlock = `\`qm unlock ${vmid}\``;
  if (!MAKES.includes(lock)) return `${unseen} ${unlock} on ${node} lifts it`;
  if (!isOnlyPart(lock, guest.current))
    return `${unseen} look at its disks first, as a restore over it may have been cut short; ${unlock} on ${node} lifts the lock`;
  const remove = `${unlock}, then \`qm destroy ${vmid}\` on ${node} remove it`;
  return `${unseen} only a part of it was made. ${remove}; the next run makes it anew`;
}

/** Whether PVE destroys a guest whatever lock it has: that of a saved memory, which goes too (assumed). */
export function goesLocked({ lock }: Pick<ObservedGuest, 'lock'>): boolean {
  return lock === 'suspended';
}

/**
 * Waits until a guest has no lock any more: one small read at a time, as long as time-limit.ts allows the machine. False:
 * it had none.
 */
export async function waitForLock(
  { pve, cluster }: { pve: Pve; cluster: ObservedCluster },
  guest: ObservedGuest,
  waiting: Waiting,
): Promise<boolean> {
  if (guest.lock === undefined) return false;
  let text: Promise<string> | undefined;
  const told = (): Promise<string> => (text ??= lockText(pve, cluster, guest));
  await waiting.until(told, async () => !(await isLocked(pve, guest)) || undefined);
  return true;
}

async function isLocked(pve: Pve, guest: GuestAddress): Promise<boolean> {
  try {
    return (await readStatus(pve, guest)).lock !== undefined;
  } catch (error) {
    if (!(error instanceof PveError)) throw error;
    // it went or moved: who reads it again finds out
    if (error.kind === 'not-found') return false;
    if (error.kind === 'unreachable') return true;
    throw error;
  }
}
