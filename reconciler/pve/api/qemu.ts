import * as z from 'zod';
import type { Pve } from '../http/client';
import type { PveParams } from '../http/form';
import { nodePath } from './nodes';
import { asTask, asTaskIfSlow, waitForTask, type TaskEnd, type TaskWait } from './task';
import { PveError, mayLackRequest } from '../answers/errors';
import { TaskId } from '../answers/upid';
import { count, flag, nothing, recordOf, rowsOf, text, textsOf } from '../answers/wire-values';

/** Where a guest is. */
export interface GuestAddress {
  node: string;
  vmid: number;
}

/** Where a guest stands in the API. */
export const guestPath = ({ node, vmid }: GuestAddress): string => `${nodePath(node)}/qemu/${vmid}`;

const FORCED = 2;

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
  /** The keys that go by force: of a drive its volume goes with it (behaviour.md §4, §5). Absent: none, or not told. */
  forced?: readonly string[];
}

/**
 * One read that has everything of a configuration: values, pending changes, digest, lock, description. Without a
 * digest it is no whole configuration: a guest that was taken for empty would get all its disks again.
 */
export async function readConfig(pve: Pve, guest: GuestAddress): Promise<GuestConfig> {
  try {
    return await pve.call({ method: 'GET', path: `${guestPath(guest)}/pending`, answer: Pending });
  } catch (error) {
    if (!mayLackRequest(error)) throw error;
    // such a server may still tell the configuration, or that there is none
    return await readBothConfigs(pve, guest);
  }
}

/** What runs, and what will run after the next start, where the server tells them one by one. */
async function readBothConfigs(pve: Pve, guest: GuestAddress): Promise<GuestConfig> {
  const request = { method: 'GET', path: `${guestPath(guest)}/config`, answer: Plain } as const;
  const later = await pve.call(request);
  const now = await pve.call({ ...request, params: { current: 1 } });
  if (later.digest !== now.digest) {
    throw new PveError('changed', { ...request, text: 'the configuration changed while it was read' });
  }
  const changed = Object.entries(later.values).filter(([key, value]) => now.values[key] !== value);
  const gone = Object.keys(now.values).filter(key => later.values[key] === undefined);
  const pending = [...changed, ...gone.map(key => [key, null] as const)];
  return { digest: now.digest, current: now.values, pending: Object.fromEntries(pending) };
}

const NO_DIGEST = 'expected a digest, by which Proxmox refuses to write over what somebody else changed';

const Plain = z
  .looseObject({ digest: z.union([z.string().min(1), z.number()], NO_DIGEST).transform(String) })
  .transform(({ digest, ...rest }) => {
    const values = Object.entries(textsOf(rest)).filter(([key, value]) => !isNoLock(key, value));
    return { digest, values: Object.fromEntries(values) };
  });

/** Real Proxmox has no such key where there is no lock; other servers have it, and say nothing in it. */
const isNoLock = (key: string, value: string): boolean => key === 'lock' && value === '';

const Pending = rowsOf(PendingRow).transform((rows, context): GuestConfig => {
  const config: GuestConfig = { digest: '', current: {}, pending: {} };
  for (const row of rows) {
    if (row.key === 'digest') config.digest = row.value ?? '';
    else if (row.value !== undefined && !isNoLock(row.key, row.value)) config.current[row.key] = row.value;
    if (row.delete === FORCED) config.forced = [...(config.forced ?? []), row.key];
    if (row.delete !== undefined && row.delete > 0) config.pending[row.key] = null;
    else if (row.pending !== undefined) config.pending[row.key] = row.pending;
  }
  if (config.digest === '') context.addIssue(NO_DIGEST);
  return config;
});

const Status = z.object({
  status: z.enum(['running', 'stopped'], 'expected running or stopped'),
  qmpstatus: z.string().nullish(),
  // other servers have it where there is none, too
  lock: z
    .string()
    .nullish()
    .transform(lock => lock || undefined),
  /** Seconds since it was started. */
  uptime: z.coerce.number().nullish().catch(undefined),
  ha: z.object({ state: z.string().nullish() }).nullish(),
});
export type GuestStatus = z.infer<typeof Status>;

export function readStatus(pve: Pve, guest: GuestAddress): Promise<GuestStatus> {
  return pve.call({ method: 'GET', path: `${guestPath(guest)}/status/current`, answer: Status });
}

type GuestWork<P extends PveParams> = (
  pve: Pve,
  guest: GuestAddress,
  params: P,
  wait: TaskWait,
) => Promise<TaskEnd>;

/** What is posted below the path of a guest, and done as a task. `waits`: as in `PveRequest`. */
export function guestWork<P extends PveParams = PveParams>(
  below: string,
  how: { waits?: true } = {},
): GuestWork<P> {
  return (pve, guest, params, wait) =>
    asTask(pve, { method: 'POST', path: `${guestPath(guest)}${below}`, params, ...how }, wait);
}

// Proxmox refuses an id that is taken: what makes a guest harms no other one, however late it comes
export const cloneGuest = guestWork('/clone', { waits: true });
export const moveDisk = guestWork('/move_disk');
export const migrateGuest = guestWork('/migrate');

export function createGuest(pve: Pve, node: string, params: PveParams, wait: TaskWait): Promise<TaskEnd> {
  return asTask(pve, { method: 'POST', path: `${nodePath(node)}/qemu`, params, waits: true }, wait);
}

export type PowerVerb = 'start' | 'stop' | 'shutdown' | 'reboot' | 'reset' | 'suspend' | 'resume';

export function changePower(
  pve: Pve,
  guest: GuestAddress,
  verb: PowerVerb,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  return guestWork(`/status/${verb}`)(pve, guest, params, wait);
}

/** Turns a guest that is off into a template, for good; or only this disk of one that is a template. */
export function makeTemplate(
  pve: Pve,
  guest: GuestAddress,
  disk: string | undefined,
  wait: TaskWait,
): Promise<TaskEnd> {
  return guestWork('/template')(pve, guest, { disk }, wait);
}

/** Removes the guest and its own disks; its HA resource, backup and replication entries go with it. */
export function deleteGuest(pve: Pve, guest: GuestAddress, wait: TaskWait): Promise<TaskEnd> {
  return asTask(pve, { method: 'DELETE', path: guestPath(guest), params: { purge: true } }, wait);
}

/** Writes keys of a guest that is off, or that take no time: it answers when they are written. */
export async function writeConfig(pve: Pve, guest: GuestAddress, params: PveParams): Promise<null> {
  const answer = z.union([nothing, TaskId], 'expected null');
  const upid = await pve.call({ method: 'PUT', path: `${guestPath(guest)}/config`, params, answer });
  // real Proxmox has no task for it
  if (upid !== null) await waitForTask(pve, upid, { timeoutMs: pve.config.requestTimeoutMs });
  return null;
}

/** Writes keys that may take long (disks, hotplug): answers when done, as a task only past 20 s. */
export const writeConfigSlowly: GuestWork<PveParams> = (pve, guest, keys, wait) => {
  const params = { ...keys, background_delay: 20 };
  return asTaskIfSlow(pve, { method: 'POST', path: `${guestPath(guest)}/config`, params }, wait);
};

type Grown = { disk: string; size: string; digest: string };

/** `digest`: refused where the configuration is not the one that was read. Proxmox compares it in the task. */
export const resizeDisk: GuestWork<Grown> = (pve, guest, params, wait) =>
  // a task since Proxmox 8; nothing is lost where a server has none for it
  asTaskIfSlow(pve, { method: 'PUT', path: `${guestPath(guest)}/resize`, params }, wait);

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
  /** What HA moves along. Since PVE 9. */
  'dependent-ha-resources': z.array(z.string()).optional(),
});
export type Migration = z.infer<typeof Migration>;

/** What PVE says before a guest is moved. */
export function readMigration(pve: Pve, guest: GuestAddress): Promise<Migration> {
  return pve.call({ method: 'GET', path: `${guestPath(guest)}/migrate`, answer: Migration });
}

/** Makes the cloud-init drive anew from the configuration. */
export function regenerateCloudInit(pve: Pve, guest: GuestAddress): Promise<null> {
  return pve.call({ method: 'PUT', path: `${guestPath(guest)}/cloudinit`, answer: nothing });
}
