import * as z from 'zod';
import type { Pve } from '../http/client';
import { guestPath, type GuestAddress } from './qemu';
import { count, flag, listingOf, recordOf, text } from '../answers/wire-values';

const Snapshot = z.object({
  name: z.string(),
  parent: z.string().optional(),
  description: text.optional(),
  snaptime: count.optional(),
  vmstate: flag.optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** The snapshots of a guest, oldest first. */
export async function listSnapshots(pve: Pve, guest: GuestAddress): Promise<Snapshot[]> {
  const path = `${guestPath(guest)}/snapshot`;
  const rows = await pve.call({ method: 'GET', path, answer: listingOf(Snapshot) });
  // PVE: the last row is no snapshot, it stands for the guest as it is now
  return rows
    .filter(({ name }) => name !== 'current')
    .sort((one, other) => (one.snaptime ?? 0) - (other.snaptime ?? 0));
}

/** The configuration that a snapshot keeps, as Proxmox prints it. */
export async function readSnapshot(
  pve: Pve,
  guest: GuestAddress,
  name: string,
): Promise<Record<string, string>> {
  const path = `${guestPath(guest)}/snapshot/${encodeURIComponent(name)}/config`;
  const config = await pve.call({ method: 'GET', path, answer: recordOf(z.unknown()) });
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}
