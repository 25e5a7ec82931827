import type { ListedGuest, ObservedCluster, ObservedNode } from './observed';
import type { ClusterResources, DatacenterOptions, GuestRow, NodeRow, Pve } from './pve';
import {
  PveError,
  listBridges,
  listResources,
  listStorages,
  readClusterStatus,
  readDatacenterOptions,
  readPermissions,
  readVersion,
} from './pve';

/** Reads what a process needs to know of the cluster once: five requests, whatever the number of machines. */
export async function observeCluster(pve: Pve): Promise<ObservedCluster> {
  const [resources, status, options, permissions, { version }] = await Promise.all([
    listResources(pve),
    ifAllowed(readClusterStatus(pve)),
    ifAllowed(readDatacenterOptions(pve)),
    readPermissions(pve),
    readVersion(pve),
  ]);
  const range = options?.['next-id'];
  return {
    clusterName: status?.clusterName,
    version,
    quorate: status?.quorate,
    nodes: resources.nodes.map(observedNode),
    guests: listedGuests(resources),
    // the upper end of the datacenter's range is not part of it (pve-manager API2/Cluster.pm nextid)
    nextId: { lower: range?.lower ?? 100, upper: (range?.upper ?? 1_000_000_000) - 1 },
    permissions,
    caller: callerOf(pve),
    ...tagRulesOf(options),
  };
}

function callerOf({ config: { credentials } }: Pve): string {
  return credentials.kind === 'token' ? credentials.id : credentials.username;
}

/** PVE shows these options to Sys.Audit on / only; then one that is absent has its default. */
function tagRulesOf(options: DatacenterOptions | undefined): Pick<ObservedCluster, 'tagRules'> {
  const rule = options?.['user-tag-access']?.['user-allow'];
  const registered = options?.['registered-tags'];
  if (rule === undefined && registered === undefined) return {};
  const access = ACCESS.find(known => known === (rule ?? 'free'));
  if (access === undefined) return {};
  return { tagRules: { access, registered: registered ?? [], allowed: options?.['allowed-tags'] ?? [] } };
}

const ACCESS = ['free', 'existing', 'list', 'none'] as const;

/** Adds the bridges and storages of some nodes: two requests a node. A node that does not answer is left as it is. */
export async function observeNodes(
  pve: Pve,
  cluster: ObservedCluster,
  names: string[],
): Promise<ObservedCluster> {
  const nodes = await Promise.all(
    cluster.nodes.map(async node => {
      const wanted = names.includes(node.name) && node.online && node.storages === undefined;
      return wanted ? { ...node, ...(await nodeDetail(pve, node.name)) } : node;
    }),
  );
  return { ...cluster, nodes };
}

async function nodeDetail(pve: Pve, node: string): Promise<Partial<ObservedNode>> {
  try {
    const [bridges, storages] = await Promise.all([listBridges(pve, node), listStorages(pve, node)]);
    return {
      bridges,
      storages: storages.map(({ storage, type, content, shared, active, enabled, avail }) => ({
        name: storage,
        type,
        content: content.split(','),
        shared: shared === 1,
        active: (active ?? 1) === 1 && (enabled ?? 1) === 1,
        available: avail,
      })),
    };
  } catch (error) {
    if (error instanceof PveError && error.kind === 'unreachable') return { online: false };
    throw error;
  }
}

/** Undefined where the caller may not look; every other failure stands. */
export async function ifAllowed<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PveError && error.kind === 'denied') return undefined;
    throw error;
  }
}

function observedNode({ node, status, maxcpu, maxmem, mem, hastate }: NodeRow): ObservedNode {
  return {
    name: node,
    online: status === 'online',
    maintenance: hastate === 'maintenance',
    cpus: maxcpu ?? 0,
    memory: maxmem ?? 0,
    memoryUsed: mem ?? 0,
  };
}

function listedGuests({ guests }: ClusterResources): ListedGuest[] {
  return guests.map(listedGuest).sort((one, other) => one.vmid - other.vmid);
}

function listedGuest(row: GuestRow): ListedGuest {
  return {
    vmid: row.vmid,
    type: row.type,
    node: row.node,
    name: row.name,
    tags: splitTags(row.tags ?? ''),
    template: row.template ?? false,
    power: row.status === 'running' || row.status === 'stopped' ? row.status : 'unknown',
    lock: row.lock,
    pool: row.pool,
    haManaged: row.hastate !== undefined && row.hastate !== 'ignored',
    memory: row.maxmem ?? 0,
  };
}

/** Proxmox takes `;`, `,` and blanks between tags. */
export function splitTags(text: string): string[] {
  return text.split(/[;,\s]+/).filter(tag => tag !== '');
}
