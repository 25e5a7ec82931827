import type { ObservedGuest } from '../observed';
import { PveError, TaskError, changePower, readStatus, type Pve, type TaskWait } from '../pve';
import { waitForHa } from '../waits/wait-for-ha';

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
  await followed(pve, guest, to, wait);
}

/** Stops a guest hard. */
export async function cutPower(pve: Pve, guest: ObservedGuest, wait: TaskWait): Promise<void> {
  await changePower(pve, guest, 'stop', {}, wait);
  await followed(pve, guest, 'stopped', wait);
}

function mayBeThere(error: unknown): boolean {
  return (error instanceof TaskError || error instanceof PveError) && error.kind === 'failed';
}

async function followed(pve: Pve, guest: ObservedGuest, to: Power, wait: TaskWait): Promise<void> {
  if (!guest.haManaged) return;
  const isThere = async (): Promise<boolean> => (await readStatus(pve, guest)).status === to;
  await waitForHa(pve, guest, { to, isThere }, wait);
}
