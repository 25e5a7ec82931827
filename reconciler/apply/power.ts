import type { ObservedGuest } from '../observed';
import type { GuestAddress, Pve, TaskWait } from '../pve';
import { PveError, TaskError, changePower, readStatus, steady, waitUntil } from '../pve';

/** How a machine may be stopped. */
export interface PowerPolicy {
  shutdownMs: number;
  /** Stop hard when the guest does not shut down in time. */
  force: boolean;
}

type Power = 'running' | 'stopped';

/** Starts a guest, or shuts it down as the policy says. A guest that already is there is left alone. */
export async function changePowerTo(
  pve: Pve,
  guest: ObservedGuest,
  to: Power,
  { shutdownMs, force }: PowerPolicy,
  wait: TaskWait,
): Promise<void> {
  const timeout = Math.max(1, Math.ceil(shutdownMs / 1000));
  try {
    if (to === 'running') await changePower(pve, guest, 'start', {}, wait);
    else await changePower(pve, guest, 'shutdown', { timeout, forceStop: force }, wait);
  } catch (error) {
    // "already running", or a time-out of a guest that went off meanwhile: what is counts, not what the task says
    if (!mayBeThere(error) || (await readStatus(pve, guest)).status !== to) throw error;
  }
  // HA's tasks end at once; the guest follows some ten seconds later
  if (guest.haManaged) await waitForPower(pve, guest, to, wait);
}

function mayBeThere(error: unknown): boolean {
  return (error instanceof TaskError || error instanceof PveError) && error.kind === 'failed';
}

/** Waits until a guest has followed; HA's own tasks end long before. */
export async function waitForPower(
  pve: Pve,
  guest: GuestAddress,
  to: Power,
  { timeoutMs, signal }: TaskWait,
): Promise<void> {
  const hasFollowed = async (): Promise<true | undefined> =>
    (await readStatus(pve, guest)).status === to || undefined;
  const wait = { rhythm: steady(pve.config.poll), until: Date.now() + timeoutMs, signal };
  if (await waitUntil(hasFollowed, wait)) return;
  const text = `HA has not brought it to ${to} in time`;
  throw new PveError('failed', { method: 'GET', path: `/nodes/${guest.node}/qemu/${guest.vmid}`, text });
}
