import { PveError, steady, waitUntil, type GuestAddress, type Pve, type TaskWait } from '../pve';

/** HA has not done in time what it was told. It may still do it. */
export class HaTooLateError extends PveError {}

/** What HA made of a guest, as an error. */
export function haFailure(kind: 'changed' | 'failed', guest: GuestAddress, text: string): PveError {
  return new PveError(kind, toldOf(guest, text));
}

function toldOf({ node, vmid }: GuestAddress, text: string) {
  return { method: 'GET' as const, path: `/nodes/${node}/qemu/${vmid}`, text };
}

/**
 * Waits until a guest has followed what HA was told: HA's own tasks end at once, and the guest follows 8 to 13 s later.
 * `to`: a node, or a state, for people.
 */
export async function waitForHa(
  pve: Pve,
  guest: GuestAddress,
  { to, isThere }: { to: string; isThere: () => Promise<boolean> },
  { timeoutMs, signal }: TaskWait,
): Promise<void> {
  const wait = { pauses: steady(pve.config.poll), until: performance.now() + timeoutMs, signal };
  if (await waitUntil(async () => (await isThere()) || undefined, wait)) return;
  throw new HaTooLateError('failed', toldOf(guest, `HA has not brought it to ${to} in time`));
}
