import * as z from 'zod';
import type { Pve } from '../http/client';
import type { PveParams } from '../http/form';
import { perform, waitForTask, type TaskEnd, type TaskWait } from './task';
import { PveError } from '../answers/errors';
import { TaskId } from '../answers/upid';
import { count, flag, nothing, recordOf, rowsOf, text } from '../answers/wire-values';

/** Where a guest is. */
export interface GuestAddress {
  node: string;
  vmid: number;
}

/** Where a guest stands in the API. */
export const guestPath = ({ node, vmid }: GuestAddress): string =>
  `/nodes/${encodeURIComponent(node)}/qemu/${vmid}`;

const PendingRow = z.object({
  key: z.string(),
  value: text.optional(),
  pending: text.optional(),
  // PVE: 1, or 2 for a deletion by force (pve-guest-common GuestHelpers.pm)
  delete: z.union([count, z.boolean()]).transform(Number).optional(),
});

/** The whole configuration as it is and as it will be after the next start. */
export interface GuestConfig {
  digest: string;
  /** What runs now, as text. */
  current: Record<string, string>;
  /** What waits for a restart: the new value, or null for a key that goes. */
  pending: Record<string, string | null>;
}

/**
 * One read that has everything of a configuration: values, pending changes, digest, lock, description. Without a
 * digest it is no whole configuration: a guest that was taken for empty would get all its disks again.
 */
export async function readConfig(pve: Pve, guest: GuestAddress): Promise<GuestConfig> {
  try {
    return await pve.call({ method: 'GET', path: `${guestPath(guest)}/pending`, answer: Pending });
  } catch (error) {
    if (!(error instanceof PveError) || ![404, 501].includes(error.facts.status ?? 0)) throw error;
    // real Proxmox has the request and no 404: a server that has it not may still tell the configuration, or that
    // there is none
    const path = `${guestPath(guest)}/config`;
    return await pve.call({ method: 'GET', path, params: { current: 1 }, answer: Plain });
  }
}

const Plain = z.looseObject({ digest: text }).transform(({ digest, ...rest }): GuestConfig => {
  const values = Object.entries(rest).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[key, String(value)] as const] : [],
  );
  return { digest, current: Object.fromEntries(values), pending: {} };
});

const Pending = rowsOf(PendingRow).transform((rows, context): GuestConfig => {
  const config: GuestConfig = { digest: '', current: {}, pending: {} };
  for (const row of rows) {
    if (row.key === 'digest') config.digest = row.value ?? '';
    else if (row.value !== undefined) config.current[row.key] = row.value;
    if (row.delete !== undefined && row.delete > 0) config.pending[row.key] = null;
    else if (row.pending !== undefined) config.pending[row.key] = row.pending;
  }
  if (config.digest === '') context.addIssue('expected a row with the key digest');
  return config;
});

const Status = z.object({
  status: z.enum(['running', 'stopped']),
  qmpstatus: z.string().nullish(),
  lock: z.string().nullish(),
  ha: z.object({ state: z.string().nullish() }).nullish(),
});
export type GuestStatus = z.infer<typeof Status>;

export function readStatus(pve: Pve, guest: GuestAddress): Promise<GuestStatus> {
  return pve.call({ method: 'GET', path: `${guestPath(guest)}/status/current`, answer: Status });
}

/** The same as `perform` for a request that is done without a task when it is quick: null is its end then. */
async function performQuickly(
  pve: Pve,
  method: 'POST' | 'PUT',
  path: string,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  const upid = await pve.call({ method, path, params, answer: TaskId.nullable() });
  return upid === null ? { warnings: 0 } : waitForTask(pve, upid, wait);
}

export function createGuest(pve: Pve, node: string, params: PveParams, wait: TaskWait): Promise<TaskEnd> {
  return perform(pve, 'POST', `/nodes/${encodeURIComponent(node)}/qemu`, params, wait);
}

export function cloneGuest(
  pve: Pve,
  source: GuestAddress,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  return perform(pve, 'POST', `${guestPath(source)}/clone`, params, wait);
}

/** Writes keys that Proxmox applies at once. */
export function writeConfig(pve: Pve, guest: GuestAddress, params: PveParams): Promise<null> {
  return pve.call({ method: 'PUT', path: `${guestPath(guest)}/config`, params, answer: nothing });
}

/** Writes keys that may take long (disks, hotplug): answers when done, as a task only past 20 s. */
export function writeConfigSlowly(
  pve: Pve,
  guest: GuestAddress,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  return performQuickly(pve, 'POST', `${guestPath(guest)}/config`, { ...params, background_delay: 20 }, wait);
}

/** `digest`: refused where the configuration is not the one that was read. Proxmox compares it in the task. */
export function resizeDisk(
  pve: Pve,
  guest: GuestAddress,
  params: { disk: string; size: string; digest: string },
  wait: TaskWait,
): Promise<TaskEnd> {
  // PVE 7 has no task for it
  return performQuickly(pve, 'PUT', `${guestPath(guest)}/resize`, params, wait);
}

export function moveDisk(pve: Pve, guest: GuestAddress, params: PveParams, wait: TaskWait): Promise<TaskEnd> {
  return perform(pve, 'POST', `${guestPath(guest)}/move_disk`, params, wait);
}

export type PowerVerb = 'start' | 'stop' | 'shutdown' | 'reboot' | 'reset' | 'suspend' | 'resume';

export function changePower(
  pve: Pve,
  guest: GuestAddress,
  verb: PowerVerb,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  return perform(pve, 'POST', `${guestPath(guest)}/status/${verb}`, params, wait);
}

/** Turns a guest that is off into a template, for good; or only this disk of one that is a template. */
export function makeTemplate(
  pve: Pve,
  guest: GuestAddress,
  disk: string | undefined,
  wait: TaskWait,
): Promise<TaskEnd> {
  const params = disk === undefined ? {} : { disk };
  return perform(pve, 'POST', `${guestPath(guest)}/template`, params, wait);
}

export function migrateGuest(
  pve: Pve,
  guest: GuestAddress,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  return perform(pve, 'POST', `${guestPath(guest)}/migrate`, params, wait);
}

const Migration = z.object({
  allowed_nodes: z.array(z.string()).optional(),
  not_allowed_nodes: recordOf(recordOf(z.unknown())).optional(),
  local_disks: z.array(
    z.object({
      volid: z.string(),
      cdrom: flag.optional(),
      is_cloudinit: flag.optional(),
      referenced_in_snapshot: z.unknown().optional(),
    }),
  ),
  local_resources: z.array(z.string()),
  'mapped-resources': z.array(z.string()).optional(),
});
export type Migration = z.infer<typeof Migration>;

/** What PVE says before a guest is moved. */
export function readMigration(pve: Pve, guest: GuestAddress): Promise<Migration> {
  return pve.call({ method: 'GET', path: `${guestPath(guest)}/migrate`, answer: Migration });
}

/** Removes the guest and its own disks; its HA resource, backup and replication entries go with it. */
export function deleteGuest(pve: Pve, guest: GuestAddress, wait: TaskWait): Promise<TaskEnd> {
  return perform(pve, 'DELETE', guestPath(guest), { purge: true }, wait);
}

/** Makes the cloud-init drive anew from the configuration. */
export function regenerateCloudInit(pve: Pve, guest: GuestAddress): Promise<null> {
  return pve.call({ method: 'PUT', path: `${guestPath(guest)}/cloudinit`, answer: nothing });
}
