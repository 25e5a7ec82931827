import * as z from 'zod';
import type { Pve } from '../http/client';
import { guestPath, guestWork, type GuestAddress } from './qemu';
import { asTask, type TaskEnd, type TaskWait } from './task';
import { mayLackRequest } from '../answers/errors';
import { count, flag, listingOf, nothing, recordOf, text, textsOf } from '../answers/wire-values';

const Snapshot = z.object({
  name: z.string(),
  parent: z.string().optional(),
  description: text.optional(),
  snaptime: count.optional(),
  vmstate: flag.optional(),
  snapstate: z.string().optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

const pathOf = (guest: GuestAddress, name: string): string =>
  `${guestPath(guest)}/snapshot/${encodeURIComponent(name)}`;

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
  const path = `${pathOf(guest, name)}/config`;
  return textsOf(await pve.call({ method: 'GET', path, answer: recordOf(z.unknown()) }));
}

const Feature = z.object({ hasFeature: flag });

/**
 * Whether all disks of a guest, as they are now, can be kept in a snapshot. Where the server does not tell, Proxmox says
 * it when the snapshot is asked for.
 */
export async function canSnapshot(pve: Pve, guest: GuestAddress): Promise<boolean> {
  const path = `${guestPath(guest)}/feature`;
  const params = { feature: 'snapshot' };
  try {
    return (await pve.call({ method: 'GET', path, params, answer: Feature })).hasFeature;
  } catch (error) {
    if (mayLackRequest(error)) return true;
    throw error;
  }
}

/** `vmstate`: with the memory, where the guest runs; of one that is off Proxmox leaves it out (recording 50). */
export const takeSnapshot = guestWork<{ snapname: string; vmstate: boolean; description: string }>(
  '/snapshot',
);

export function describeSnapshot(
  pve: Pve,
  guest: GuestAddress,
  { name, description }: { name: string; description: string },
): Promise<null> {
  const path = `${pathOf(guest, name)}/config`;
  return pve.call({ method: 'PUT', path, params: { description }, answer: nothing });
}

/** PVE stops a guest that runs hard first, and lets it run again only where the snapshot has its memory. */
export function rollBack(pve: Pve, guest: GuestAddress, name: string, wait: TaskWait): Promise<TaskEnd> {
  return asTask(pve, { method: 'POST', path: `${pathOf(guest, name)}/rollback` }, wait);
}

export function deleteSnapshot(
  pve: Pve,
  guest: GuestAddress,
  name: string,
  wait: TaskWait,
): Promise<TaskEnd> {
  return asTask(pve, { method: 'DELETE', path: pathOf(guest, name) }, wait);
}
