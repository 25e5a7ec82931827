import type { Pve } from './client';
import { nothing } from './wire-values';

const write = { method: 'PUT', path: '/pools', answer: nothing } as const;

/** Puts a guest into a pool, out of the one it is in. */
export async function joinPool(pve: Pve, pool: string, vmid: number): Promise<void> {
  await pve.call({ ...write, params: { poolid: pool, vms: String(vmid), 'allow-move': true } });
}

/** Takes a guest out of a pool. */
export async function leavePool(pve: Pve, pool: string, vmid: number): Promise<void> {
  await pve.call({ ...write, params: { poolid: pool, vms: String(vmid), delete: true } });
}
