import * as z from 'zod';
import type { Pve } from '../http/client';
import { isPoolDone } from '../answers/error-texts';
import { PveError } from '../answers/errors';
import { listingOf, nothing } from '../answers/wire-values';

/** The names of the pools that the caller may see (Pool.Audit). */
export async function listPools(pve: Pve): Promise<string[]> {
  const answer = listingOf(z.object({ poolid: z.string() }), row => 'poolid' in row);
  return (await pve.call({ method: 'GET', path: '/pools', answer })).map(({ poolid }) => poolid);
}

const write = { method: 'PUT', path: '/pools', answer: nothing } as const;

/** Puts a guest into a pool, out of the one it is in. One that is in it already is left there. */
export async function joinPool(pve: Pve, pool: string, vmid: number): Promise<void> {
  await unlessDone(pve.call({ ...write, params: { poolid: pool, vms: String(vmid), 'allow-move': true } }));
}

/** Takes a guest out of a pool, where it is in it. */
export async function leavePool(pve: Pve, pool: string, vmid: number): Promise<void> {
  await unlessDone(pve.call({ ...write, params: { poolid: pool, vms: String(vmid), delete: true } }));
}

async function unlessDone(writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof PveError) || !isPoolDone(error.facts.text)) throw error;
  }
}
