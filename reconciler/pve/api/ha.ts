import * as z from 'zod';
import type { Pve } from '../http/client';
import { PveError } from '../answers/errors';
import { flag, listingOf, nothing, text } from '../answers/wire-values';
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

const rule = z.object({
  rule: text,
  type: z.string().optional(),
  /** Of a rule of nodes, each with its priority; and whether no other will do. */
  nodes: z.string().optional(),
  strict: flag.optional(),
  /** Of a rule of resources: positive, negative. */
  affinity: z.string().optional(),
  resources: z.string().optional(),
  disable: flag.optional(),
  /** Why it counts for nothing. */
  errors: z.unknown().optional(),
});
export type HaRule = z.infer<typeof rule>;

/** The rules of HA. `vmid`: those that name this guest. PVE 8 has none, and no such request. Needs Sys.Audit on /. */
export function listHaRules(pve: Pve, vmid?: number): Promise<HaRule[]> {
  const params = vmid === undefined ? {} : { resource: `vm:${vmid}` };
  return pve.call({ method: 'GET', path: '/cluster/ha/rules', params, answer: listingOf(rule) });
}

const groupAnswer = z.object({
  nodes: z.string(),
  restricted: flag.optional(),
  nofailback: flag.optional(),
});

/** A group of HA, which only PVE 8 has. Needs Sys.Audit on /. */
export function readHaGroup(pve: Pve, group: string): Promise<z.infer<typeof groupAnswer>> {
  const path = `/cluster/ha/groups/${encodeURIComponent(group)}`;
  return pve.call({ method: 'GET', path, answer: groupAnswer });
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
