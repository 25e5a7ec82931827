import type { ObservedGuest } from '../observed';
import { changePower, isFailure, readStatus, type Pve, type TaskWait } from '../pve';
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
  const announcement = to === 'stopped' ? announceLater(guest, policy) : undefined;
  const shutdown = { timeout: secondsOf(policy), forceStop: policy.force };
  try {
    const change =
      to === 'running'
        ? changePower(pve, guest, 'start', {}, wait)
        : changePower(pve, guest, 'shutdown', shutdown, wait);
    await change.catch(async (error: unknown) => {
      // "already running", or a time-out of a guest that went off meanwhile: what is counts, not what the task says
      if (!mayBeThere(error) || (await readStatus(pve, guest)).status !== to) throw error;
    });
    await followed(pve, guest, to, wait);
  } finally {
    clearTimeout(announcement);
  }
}

/** How long a guest may take to shut down, as Proxmox is told. */
export function secondsOf({ shutdownMs }: PowerPolicy): number {
  return Math.max(1, Math.ceil(shutdownMs / 1000));
}

/** Announces a hard stop when half of the time until then is over: a guest with a system is off by then. */
function announceLater({ haManaged }: ObservedGuest, policy: PowerPolicy): NodeJS.Timeout | undefined {
  const timeout = secondsOf(policy);
  const half = Math.floor(timeout / 2);
  // HA stops every guest hard that does not shut down (assumed), and begins some seconds after it was told
  if (half === 0 || !(policy.force || haManaged)) return undefined;
  const stops = haManaged
    ? `HA stops it hard ${timeout} s after it began to shut it down. shutdownTimeout gives it longer.`
    : `in ${timeout - half} s Proxmox stops it hard. shutdownTimeout gives it longer, forceStop: false forbids it.`;
  return setTimeout(() => policy.say(`has not shut down in ${half} s: ${stops}`), half * 1000);
}

/** Stops a guest hard. */
export async function cutPower(pve: Pve, guest: ObservedGuest, wait: TaskWait): Promise<void> {
  await changePower(pve, guest, 'stop', {}, wait);
  await followed(pve, guest, 'stopped', wait);
}

function mayBeThere(error: unknown): boolean {
  return isFailure(error) && error.kind === 'failed';
}

async function followed(pve: Pve, guest: ObservedGuest, to: Power, wait: TaskWait): Promise<void> {
  if (!guest.haManaged) return;
  const isThere = async (): Promise<boolean> => (await readStatus(pve, guest)).status === to;
  await waitForHa(pve, guest, { to, isThere }, wait);
}
