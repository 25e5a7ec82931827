import type { ObservedGuest } from '../observed';
import { PveError, TaskError, changePower, readStatus, type Pve, type TaskWait } from '../pve';
import { waitForHa } from '../waits/wait-for-ha';

/** How a machine may be stopped. */
export interface PowerPolicy {
  shutdownMs: number;
  /** Stop hard when the guest does not shut down in time. */
  force: boolean;
  /** Told before a guest that does not shut down is stopped hard. */
  say: (text: string) => void;
}

type Power = 'running' | 'stopped';

/** Starts a guest, or shuts it down as the policy says. A guest that already is there is left alone. */
export async function changePowerTo(
  pve: Pve,
  guest: ObservedGuest,
  to: Power,
  policy: PowerPolicy,
  wait: TaskWait,
): Promise<void> {
  try {
    if (to === 'running') await changePower(pve, guest, 'start', {}, wait);
    else await shutDown(pve, guest, policy, wait);
  } catch (error) {
    // "already running", or a time-out of a guest that went off meanwhile: what is counts, not what the task says
    if (!mayBeThere(error) || (await readStatus(pve, guest)).status !== to) throw error;
  }
  await followed(pve, guest, to, wait);
}

/** Announces a hard stop when half of the time until then is over: a guest with a system is off by then. */
async function shutDown(
  pve: Pve,
  guest: ObservedGuest,
  { shutdownMs, force, say }: PowerPolicy,
  wait: TaskWait,
): Promise<void> {
  const timeout = Math.max(1, Math.ceil(shutdownMs / 1000));
  const left = Math.ceil(timeout / 2);
  const announce = (): void =>
    say(
      `has not shut down in ${timeout - left} s: in ${left} s Proxmox stops it hard. shutdownTimeout gives it longer, forceStop: false forbids it.`,
    );
  const timer = force ? setTimeout(announce, (timeout - left) * 1000) : undefined;
  try {
    await changePower(pve, guest, 'shutdown', { timeout, forceStop: force }, wait);
  } finally {
    clearTimeout(timer);
  }
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
