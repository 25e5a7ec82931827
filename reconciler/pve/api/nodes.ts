import * as z from 'zod';
import type { Pve } from '../http/client';
import { count, figure, flag, listingOf, objectOf, vmid } from '../answers/wire-values';

const Network = z.object({ iface: z.string() });
const Storage = z.object({
  storage: z.string(),
  // servers that do not tell what a storage is and takes judge each write themselves: nothing is held against it here
  type: z.string().default(''),
  content: z.string().default('images,import,iso'),
  shared: flag.optional(),
  active: flag.optional(),
  enabled: flag.optional(),
  total: figure,
  avail: figure,
});
export type NodeStorage = z.infer<typeof Storage>;

const GuestOnNode = z.object({
  vmid,
  name: z.string().optional(),
  tags: z.string().optional(),
  lock: z.string().optional(),
  status: z.string().optional(),
  template: flag.optional(),
  qmpstatus: z.string().nullish(),
  uptime: figure,
});
export type GuestOnNode = z.infer<typeof GuestOnNode>;

/** Where a node stands in the API. */
export const nodePath = (node: string): string => `/nodes/${encodeURIComponent(node)}`;

/** The names of the bridges that guests of this node can use. */
export async function listBridges(pve: Pve, node: string): Promise<string[]> {
  const path = `${nodePath(node)}/network`;
  const params = { type: 'any_bridge' };
  const isNamed = (row: object): boolean => 'iface' in row;
  const rows = await pve.call({ method: 'GET', path, params, answer: listingOf(Network, isNamed) });
  return rows.map(({ iface }) => iface);
}

/** The storages that this node can use. */
export function listStorages(pve: Pve, node: string): Promise<NodeStorage[]> {
  return pve.call({ method: 'GET', path: `${nodePath(node)}/storage`, answer: listingOf(Storage) });
}

/** The guests on one node, with true names, locks and status at once. `full`: also what qemu says of each that runs. */
export function listGuests(pve: Pve, node: string, full = false): Promise<GuestOnNode[]> {
  const params = full ? { full: 1 } : {};
  return pve.call({ method: 'GET', path: `${nodePath(node)}/qemu`, params, answer: listingOf(GuestOnNode) });
}

/** The clock of a node, in seconds since the epoch. Needs Sys.Audit on the node. */
export function readClock(pve: Pve, node: string): Promise<{ time: number }> {
  const answer = objectOf(z.object({ time: count }));
  return pve.call({ method: 'GET', path: `${nodePath(node)}/time`, answer });
}
