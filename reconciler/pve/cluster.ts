import * as z from 'zod';
import type { Pve } from './client';

const flag = z.union([z.literal(0), z.literal(1)]).transform(value => value === 1);

/** One guest in the cluster's listing. Name and status lag by up to ten seconds; tags, lock and node do not. */
const GuestRow = z.object({
  type: z.enum(['qemu', 'lxc']),
  vmid: z.number(),
  node: z.string(),
  name: z.string().optional(),
  status: z.string().optional(),
  tags: z.string().optional(),
  lock: z.string().optional(),
  pool: z.string().optional(),
  template: flag.optional(),
  hastate: z.string().optional(),
  maxcpu: z.number().optional(),
  maxmem: z.number().optional(),
});
export type GuestRow = z.infer<typeof GuestRow>;

const NodeRow = z.object({
  type: z.literal('node'),
  node: z.string(),
  status: z.string().optional(),
  maxcpu: z.number().optional(),
  cpu: z.number().optional(),
  maxmem: z.number().optional(),
  mem: z.number().optional(),
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
  maxdisk: z.number().optional(),
  disk: z.number().optional(),
});
type StorageRow = z.infer<typeof StorageRow>;

export interface ClusterResources {
  guests: GuestRow[];
  nodes: NodeRow[];
  storages: StorageRow[];
}

/** Rows that we do not read: pools, networks, and what a newer Proxmox may list. */
const OtherRow = z.object({
  type: z.string().refine(type => !['qemu', 'lxc', 'node', 'storage'].includes(type)),
});
const Row = z.union([GuestRow, NodeRow, StorageRow, OtherRow]);
type Row = z.infer<typeof Row>;

const isGuest = (row: Row): row is GuestRow => 'vmid' in row;
const isStorage = (row: Row): row is StorageRow => 'storage' in row;
const isNode = (row: Row): row is NodeRow => row.type === 'node';

/** Everything the cluster lists, in one request. What the caller may not see is left out, without a word. */
export async function listResources(pve: Pve): Promise<ClusterResources> {
  const rows = await pve.call({ method: 'GET', path: '/cluster/resources', answer: z.array(Row) });
  return { guests: rows.filter(isGuest), nodes: rows.filter(isNode), storages: rows.filter(isStorage) };
}

const StatusRow = z.object({
  type: z.enum(['cluster', 'node']),
  name: z.string(),
  quorate: flag.optional(),
  online: flag.optional(),
  local: flag.optional(),
});

export interface ClusterStatus {
  /** Undefined for a single node that is in no cluster. */
  clusterName: string | undefined;
  quorate: boolean;
  nodes: { name: string; online: boolean }[];
}

/** Name, quorum and nodes. Needs Sys.Audit on /. */
export async function readClusterStatus(pve: Pve): Promise<ClusterStatus> {
  const rows = await pve.call({ method: 'GET', path: '/cluster/status', answer: z.array(StatusRow) });
  const cluster = rows.find(({ type }) => type === 'cluster');
  const nodes = rows.filter(({ type }) => type === 'node');
  return {
    clusterName: cluster?.name,
    quorate: cluster?.quorate ?? true,
    nodes: nodes.map(({ name, online }) => ({ name, online: online ?? true })),
  };
}

const Options = z.looseObject({
  'next-id': z
    .looseObject({ lower: z.coerce.number().optional(), upper: z.coerce.number().optional() })
    .optional(),
  mac_prefix: z.string().optional(),
  'user-tag-access': z.looseObject({ 'user-allow': z.string().optional() }).optional(),
  'registered-tags': z.array(z.string()).optional(),
  'allowed-tags': z.array(z.string()).optional(),
});
export type DatacenterOptions = z.infer<typeof Options>;

export function readDatacenterOptions(pve: Pve): Promise<DatacenterOptions> {
  return pve.call({ method: 'GET', path: '/cluster/options', answer: Options });
}

export function readVersion(pve: Pve): Promise<{ version: string; release: string }> {
  const answer = z.object({ version: z.string(), release: z.string() });
  return pve.call({ method: 'GET', path: '/version', answer });
}
