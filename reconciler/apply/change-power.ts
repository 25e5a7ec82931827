import { describedAs } from '../observe/guest';
import { sameGuest, type Warn } from '../observe/same-guest';
import type { ObservedGuest } from '../observed';
import {
  changePower,
  isFailure,
  readStatus,
  writeConfig,
  type GuestAddress,
  type Pve,
  type TaskEnd,
  type TaskWait,
} from '../pve';
import { haFailure, waitForHa } from '../waits/wait-for-ha';

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
  if (to === 'running') return startGuest(pve, guest, wait);
  const announcement = announceLater(guest, policy);
  const shutdown = { timeout: secondsOf(policy), forceStop: policy.force };
  try {
    await untilThere(pve, guest, to, changePower(pve, guest, 'shutdown', shutdown, wait), wait);
  } finally {
    clearTimeout(announcement);
  }
}

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

/** Starts a guest, and waits until it runs. */
export function startGuest(pve: Pve, guest: GuestAddress, wait: TaskWait): Promise<void> {
  return untilThere(pve, guest, 'running', changePower(pve, guest, 'start', {}, wait), wait);
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
  await followed(pve, guest, 'stopped', await changePower(pve, guest, 'stop', {}, wait), wait);
}

async function untilThere(
  pve: Pve,
  guest: GuestAddress,
  to: Power,
  change: Promise<TaskEnd>,
  wait: TaskWait,
): Promise<void> {
  let end: TaskEnd;
  try {
    end = await change;
  } catch (error) {
    // "already running", or a time-out of a guest that went off meanwhile: what is counts, not what the task says
    if (mayBeThere(error) && (await readStatus(pve, guest)).status === to) return;
    throw error;
  }
  await followed(pve, guest, to, end, wait);
}

function mayBeThere(error: unknown): boolean {
  return isFailure(error) && error.kind === 'failed';
}

/** Proxmox knows whether HA was asked, whatever was listed before: HA's own tasks end at once. */
async function followed(
  pve: Pve,
  guest: GuestAddress,
  to: Power,
  { type = '' }: TaskEnd,
  wait: TaskWait,
): Promise<void> {
  if (!type.startsWith('ha')) return;
  const isThere = async (): Promise<boolean> => {
    const { status, ha } = await readStatus(pve, guest);
    if (status !== to && ha?.state === 'error')
      throw haFailure('failed', guest, `HA could not bring it to ${to} and has given it up (state error)`);
    return status === to;
  };
  await waitForHa(pve, guest, { to, isThere }, wait);
}
