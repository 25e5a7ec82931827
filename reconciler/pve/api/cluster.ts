import * as z from 'zod';
import type { Pve } from '../http/client';
import { PveError } from '../answers/errors';
import { count, figure, flag, listingOf, optionsOf, text, vmid } from '../answers/wire-values';

/** One guest in the cluster's listing. Name and status lag by up to ten seconds; tags, lock and node do not. */
const GuestRow = z.object({
  type: z.enum(['qemu', 'lxc']),
  vmid,
  node: z.string(),
  name: z.string().optional(),
  status: z.string().optional(),
  tags: z.string().optional(),
  lock: z.string().optional(),
  pool: z.string().optional(),
  template: flag.optional(),
  hastate: z.string().optional(),
  maxcpu: figure,
  maxmem: figure,
  memhost: figure,
});
export type GuestRow = z.infer<typeof GuestRow>;

const NodeRow = z.object({
  type: z.literal('node'),
  node: z.string(),
  status: z.string().optional(),
  maxcpu: figure,
  cpu: figure,
  maxmem: figure,
  mem: figure,
  hastate: z.string().optional(),
});
export type NodeRow = z.infer<typeof NodeRow>;

const StorageRow = z.object({
  type: z.literal('storage'),
  storage: z.string(),
  node: z.string(),
  status: z.string().optional(),
  shared: flag.optional(),
  content: z.string().optional(),
  plugintype: z.string().optional(),
  maxdisk: figure,
  disk: figure,
});
type StorageRow = z.infer<typeof StorageRow>;

export interface ClusterResources {
  guests: GuestRow[];
  nodes: NodeRow[];
  storages: StorageRow[];
}

const Row = z.discriminatedUnion('type', [GuestRow, NodeRow, StorageRow]);

/** Not pools, networks, and what a newer Proxmox may list. A row that does not say what it is may be a guest. */
function isRead(row: object): boolean {
  const type: unknown = 'type' in row ? row.type : undefined;
  return typeof type !== 'string' || ['qemu', 'lxc', 'node', 'storage'].includes(type);
}

/** Everything the cluster lists, in one request. What the caller may not see is left out, without a word. */
export async function listResources(pve: Pve): Promise<ClusterResources> {
  const rows = await pve.call({ method: 'GET', path: '/cluster/resources', answer: listingOf(Row, isRead) });
  return {
    guests: rows.filter(row => row.type !== 'node' && row.type !== 'storage'),
    nodes: rows.filter(row => row.type === 'node'),
    storages: rows.filter(row => row.type === 'storage'),
  };
}

/** Whether any guest has this number, also one that the caller does not see. Needs no privilege. */
export async function isIdTaken(pve: Pve, id: number): Promise<boolean> {
  try {
    await pve.call({ method: 'GET', path: '/cluster/nextid', params: { vmid: id }, answer: text });
    return false;
  } catch (error) {
    if (error instanceof PveError && error.kind === 'already-exists') return true;
    throw error;
  }
}

const StatusRow = z.discriminatedUnion('type', [
  // without a word of the quorum nothing can be destroyed safely
  z.object({ type: z.literal('cluster'), name: z.string().optional(), quorate: flag }),
  z.object({ type: z.literal('node') }),
]);

export interface ClusterStatus {
  /** Undefined for a single node that is in no cluster. */
  clusterName: string | undefined;
  /** Undefined where the answer names neither a cluster nor a single node. */
  quorate: boolean | undefined;
}

/** Name and quorum. Needs Sys.Audit on /. */
export async function readClusterStatus(pve: Pve): Promise<ClusterStatus> {
  const rows = await pve.call({ method: 'GET', path: '/cluster/status', answer: listingOf(StatusRow) });
  const cluster = rows.find(row => row.type === 'cluster');
  // PVE: a node that is in no cluster lists itself alone, and is always quorate
  return { clusterName: cluster?.name, quorate: cluster?.quorate ?? (rows.length === 1 ? true : undefined) };
}

const Range = z.object({ lower: count.optional(), upper: count.optional() });
/** A list; the schema says that some of them are one text. */
const words = z.union([
  z.array(z.string()),
  z.string().transform(given => given.split(/[;,\s]+/).filter(word => word !== '')),
]);
const Options = z.object({
  'next-id': Range.optional(),
  mac_prefix: z.string().optional(),
  'user-tag-access': z.object({ 'user-allow': z.string().optional() }).optional(),
  'registered-tags': words.optional(),
  'allowed-tags': words.optional(),
});
export type DatacenterOptions = z.infer<typeof Options>;

export function readDatacenterOptions(pve: Pve): Promise<DatacenterOptions> {
  return pve.call({ method: 'GET', path: '/cluster/options', answer: optionsOf(Options) });
}

/** `how.waits` is false for who asks whether somebody answers now. */
export function readVersion(pve: Pve, how: { waits?: false } = {}): Promise<{ version: string }> {
  const answer = z.object({ version: text });
  return pve.call({ method: 'GET', path: '/version', answer, ...how });
}
