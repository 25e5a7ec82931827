import * as z from 'zod';
import type { Pve } from '../http/client';
import { PveError } from '../answers/errors';
import { listingOf, nothing, text } from '../answers/wire-values';
import type { PveParams } from '../http/form';

const RESOURCES = '/cluster/ha/resources';
const answer = z.object({
  state: z.string().optional(),
  group: z.string().optional(),
  max_restart: text.optional(),
  max_relocate: text.optional(),
  failback: text.optional(),
});

/** What HA is told about a guest. */
export type HaResource = z.infer<typeof answer>;

/** What HA is told about a guest; undefined: HA has nothing to do with it. Needs Sys.Audit on /. */
export async function readHaResource(pve: Pve, vmid: number): Promise<HaResource | undefined> {
  try {
    return await pve.call({ method: 'GET', path: `${RESOURCES}/vm:${vmid}`, answer });
  } catch (error) {
    if (error instanceof PveError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** The rules of HA that name a guest. PVE 8 has none, and no such request. Needs Sys.Audit on /. */
export async function listHaRules(pve: Pve, vmid: number): Promise<string[]> {
  const params = { resource: `vm:${vmid}` };
  const answer = listingOf(z.object({ rule: text }));
  return (await pve.call({ method: 'GET', path: '/cluster/ha/rules', params, answer })).map(
    ({ rule }) => rule,
  );
}

/** Gives a guest to HA. It must not be in its care yet. Needs Sys.Console on /. */
export function joinHa(pve: Pve, vmid: number, params: PveParams): Promise<null> {
  const sid = `vm:${vmid}`;
  return pve.call({ method: 'POST', path: RESOURCES, params: { sid, ...params }, answer: nothing });
}

/** Tells HA something else about a guest that it cares for. */
export function changeHa(pve: Pve, vmid: number, params: PveParams): Promise<null> {
  return pve.call({ method: 'PUT', path: `${RESOURCES}/vm:${vmid}`, params, answer: nothing });
}

/** Takes a guest out of the care of HA, and out of HA's rules. It stays as it is. */
export function leaveHa(pve: Pve, vmid: number): Promise<null> {
  return pve.call({ method: 'DELETE', path: `${RESOURCES}/vm:${vmid}`, answer: nothing });
}
