import * as z from 'zod';
import type { Pve } from './client';

const Network = z.object({ iface: z.string(), type: z.string() });
const Storage = z.object({
  storage: z.string(),
  type: z.string(),
  content: z.string(),
  shared: z.number().optional(),
  active: z.number().optional(),
  enabled: z.number().optional(),
  total: z.number().optional(),
  avail: z.number().optional(),
});
export type NodeStorage = z.infer<typeof Storage>;

const GuestOnNode = z.object({
  vmid: z.number(),
  name: z.string().optional(),
  tags: z.string().optional(),
  lock: z.string().optional(),
  status: z.string(),
  template: z.union([z.literal(1), z.literal('')]).optional(),
});
export type GuestOnNode = z.infer<typeof GuestOnNode>;

const at = (node: string): string => `/nodes/${encodeURIComponent(node)}`;

/** The names of the bridges that guests of this node can use. */
export async function listBridges(pve: Pve, node: string): Promise<string[]> {
  const params = { type: 'any_bridge' };
  const rows = await pve.call({
    method: 'GET',
    path: `${at(node)}/network`,
    params,
    answer: z.array(Network),
  });
  return rows.map(({ iface }) => iface);
}

/** The storages that this node can use. */
export function listStorages(pve: Pve, node: string): Promise<NodeStorage[]> {
  return pve.call({ method: 'GET', path: `${at(node)}/storage`, answer: z.array(Storage) });
}

/** The guests on one node, with true names, locks and status at once. */
export function listGuests(pve: Pve, node: string): Promise<GuestOnNode[]> {
  return pve.call({ method: 'GET', path: `${at(node)}/qemu`, answer: z.array(GuestOnNode) });
}
