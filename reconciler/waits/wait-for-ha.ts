import { PveError, steady, waitUntil, type GuestAddress, type Pve, type TaskWait } from '../pve';

/** HA has not done in time what it was told. It may still do it. */
export class HaTooLateError extends PveError {}

/**
 * Waits until a guest has followed what HA was told: HA's own tasks end at once, and the guest follows 8 to 13 s later.
 * `to`: a node, or a state, for people.
 */
export async function waitForHa(
  pve: Pve,
  { node, vmid }: GuestAddress,
  { to, isThere }: { to: string; isThere: () => Promise<boolean> },
  { timeoutMs, signal }: TaskWait,
): Promise<void> {
  const wait = { pauses: steady(pve.config.poll), until: Date.now() + timeoutMs, signal };
  if (await waitUntil(async () => (await isThere()) || undefined, wait)) return;
  const text = `HA has not brought it to ${to} in time`;
  throw new HaTooLateError('failed', { method: 'GET', path: `/nodes/${node}/qemu/${vmid}`, text });
}
