import * as z from 'zod';
import type { Pve } from './client';
import type { PveParams } from './form';
import type { TaskEnd, TaskWait } from './task';
import { waitForTask } from './task';
import { isUpid } from './upid';

/** Where a guest is. */
export interface GuestAddress {
  node: string;
  vmid: number;
}

const at = ({ node, vmid }: GuestAddress): string => `/nodes/${encodeURIComponent(node)}/qemu/${vmid}`;

const text = z.union([z.string(), z.number()]).transform(String);
const PendingRow = z.object({
  key: z.string(),
  value: text.optional(),
  pending: text.optional(),
  delete: z.number().optional(),
});

/** The whole configuration as it is and as it will be after the next start. */
export interface GuestConfig {
  digest: string;
  /** What runs now, as text. */
  current: Record<string, string>;
  /** What waits for a restart: the new value, or null for a key that goes. */
  pending: Record<string, string | null>;
}

/** One read that has everything of a configuration: values, pending changes, digest, lock, description. */
export async function readConfig(pve: Pve, guest: GuestAddress): Promise<GuestConfig> {
  const rows = await pve.call({ method: 'GET', path: `${at(guest)}/pending`, answer: z.array(PendingRow) });
  const config: GuestConfig = { digest: '', current: {}, pending: {} };
  for (const row of rows) {
    if (row.key === 'digest') config.digest = row.value ?? '';
    else if (row.value !== undefined) config.current[row.key] = row.value;
    if (row.delete !== undefined) config.pending[row.key] = null;
    else if (row.pending !== undefined) config.pending[row.key] = row.pending;
  }
  return config;
}

const Status = z.object({
  status: z.enum(['running', 'stopped']),
  qmpstatus: z.string().optional(),
  lock: z.string().optional(),
  ha: z.looseObject({ managed: z.number() }).optional(),
});
export type GuestStatus = z.infer<typeof Status>;

export function readStatus(pve: Pve, guest: GuestAddress): Promise<GuestStatus> {
  return pve.call({ method: 'GET', path: `${at(guest)}/status/current`, answer: Status });
}

/** Sends a request that Proxmox does as a task, and waits for its end. Some answer without a task when they are quick. */
async function perform(
  pve: Pve,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  const upid = await pve.call({ method, path, params, answer: z.string().nullable() });
  return isUpid(upid) ? waitForTask(pve, upid, wait) : { warnings: 0 };
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
  return perform(pve, 'POST', `${at(source)}/clone`, params, wait);
}

/** Writes keys that Proxmox applies at once. */
export function writeConfig(pve: Pve, guest: GuestAddress, params: PveParams): Promise<null> {
  return pve.call({ method: 'PUT', path: `${at(guest)}/config`, params, answer: z.null() });
}

/** Writes keys that may take long (disks, hotplug): answers when done, as a task only past 20 s. */
export function writeConfigSlowly(
  pve: Pve,
  guest: GuestAddress,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  return perform(pve, 'POST', `${at(guest)}/config`, { ...params, background_delay: 20 }, wait);
}

/** `digest`: refused where the configuration is not the one that was read. Proxmox compares it in the task. */
export function resizeDisk(
  pve: Pve,
  guest: GuestAddress,
  params: { disk: string; size: string; digest: string },
  wait: TaskWait,
): Promise<TaskEnd> {
  return perform(pve, 'PUT', `${at(guest)}/resize`, params, wait);
}

export function moveDisk(pve: Pve, guest: GuestAddress, params: PveParams, wait: TaskWait): Promise<TaskEnd> {
  return perform(pve, 'POST', `${at(guest)}/move_disk`, params, wait);
}

export type PowerVerb = 'start' | 'stop' | 'shutdown' | 'reboot' | 'reset' | 'suspend' | 'resume';

export function changePower(
  pve: Pve,
  guest: GuestAddress,
  verb: PowerVerb,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  return perform(pve, 'POST', `${at(guest)}/status/${verb}`, params, wait);
}

export function migrateGuest(
  pve: Pve,
  guest: GuestAddress,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  return perform(pve, 'POST', `${at(guest)}/migrate`, params, wait);
}

const flag = z.union([z.boolean(), z.number(), z.string()]).transform(value => Number(value) === 1);
const Migration = z.object({
  allowed_nodes: z.array(z.string()).optional(),
  not_allowed_nodes: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
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
  return pve.call({ method: 'GET', path: `${at(guest)}/migrate`, answer: Migration });
}

/** Removes the guest and its own disks; its HA resource, backup and replication entries go with it. */
export function deleteGuest(pve: Pve, guest: GuestAddress, wait: TaskWait): Promise<TaskEnd> {
  return perform(pve, 'DELETE', at(guest), { purge: true }, wait);
}

/** Makes the cloud-init drive anew from the configuration. */
export function regenerateCloudInit(pve: Pve, guest: GuestAddress): Promise<null> {
  return pve.call({ method: 'PUT', path: `${at(guest)}/cloudinit`, answer: z.null() });
}
