import { changePowerTo, type PowerPolicy } from './change-power';
import { describedAs } from '../observe/guest';
import { sameGuest, type Warn } from '../observe/same-guest';
import type { ObservedGuest } from '../observed';
import { writeConfig, type Pve, type TaskWait } from '../pve';

/** What a restart needs. `stopping`, `starting`: told of the guest directly before, as it was just read. */
interface Restarting {
  pve: Pve;
  wait: TaskWait;
  policy: PowerPolicy;
  warn: Warn;
  stopping?: (guest: ObservedGuest) => void;
  starting?: (guest: ObservedGuest) => void;
}

/**
 * Shuts a guest down, as it was just read, and starts it again. `description`: what it says from then on. It is written
 * while the guest is off: once it runs, PVE's own clean-up has its lock for 30 s (behaviour.md §16.2).
 */
export async function restartGuest(
  guest: ObservedGuest,
  description: string | undefined,
  { pve, wait, policy, warn, stopping, starting }: Restarting,
): Promise<void> {
  stopping?.(guest);
  await changePowerTo(pve, guest, 'stopped', policy, wait);
  let off = await sameGuest(pve, guest, warn);
  if (description !== undefined) {
    await writeConfig(pve, off, { description, digest: off.digest });
    off = await sameGuest(pve, describedAs(off, description), warn);
  }
  starting?.(off);
  await changePowerTo(pve, off, 'running', policy, wait);
}
