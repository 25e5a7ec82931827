import type { ListedGuest, ObservedCluster, ObservedNode, ObservedStorage } from '../observed';
import type {
  ClusterResources,
  DatacenterOptions,
  GuestRow,
  NodeRow,
  NodeStorage,
  Pve,
  PveErrorKind,
} from '../pve';
import {
  PveError,
  listBridges,
  listResources,
  listStorages,
  readClusterStatus,
  readDatacenterOptions,
  readPermissions,
  readVersion,
} from '../pve';

/** A cluster of which nothing was read. The datacenter's own range of ids is Proxmox's default; both ends are part of it. */
export const NOT_READ: ObservedCluster = {
  clusterName: undefined,
  version: '',
  quorate: undefined,
  nodes: [],
  guests: [],
  nextId: { lower: 100, upper: 999_999_999 },
  permissions: {},
};

/** Reads what a process needs to know of the cluster once: five requests, whatever the number of machines. */
export async function observeCluster(pve: Pve): Promise<ObservedCluster> {
  const [resources, status, options, permissions, { version }] = await Promise.all([
    listResources(pve),
    ifAllowed(readClusterStatus(pve)),
    ifAllowed(readDatacenterOptions(pve)),
    ifThere(readPermissions(pve)),
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
    nextId: {
      lower: range?.lower ?? NOT_READ.nextId.lower,
      upper: range?.upper === undefined ? NOT_READ.nextId.upper : range.upper - 1,
    },
    ...rightsOf(pve, permissions),
    ...tagRulesOf(options),
  };
}

/** What decides whether one guest may be destroyed, and nothing else: where it is, the quorum, what the caller may do. */
export async function observeToDestroy(pve: Pve): Promise<ObservedCluster> {
  const [resources, status, permissions] = await Promise.all([
    listResources(pve),
    ifAllowed(readClusterStatus(pve)),
    ifThere(readPermissions(pve)),
  ]);
  const guests = listedGuests(resources);
  return { ...NOT_READ, guests, quorate: status?.quorate, ...rightsOf(pve, permissions) };
}

/** Where nobody's rights can be read, nothing is held against the caller: Proxmox has the last word. */
function rightsOf(
  pve: Pve,
  permissions: ObservedCluster['permissions'] | undefined,
): Pick<ObservedCluster, 'permissions' | 'caller'> {
  return permissions ? { permissions, caller: callerOf(pve) } : { permissions: {} };
}

/** The guests of the cluster as they are now, and nothing else: one request. */
export async function observeGuests(pve: Pve): Promise<ListedGuest[]> {
  return listedGuests(await listResources(pve));
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
    const [bridges, storages] = await Promise.all([
      ifThere(listBridges(pve, node)),
      ifThere(listStorages(pve, node)),
    ]);
    return { ...(bridges && { bridges }), ...(storages && { storages: storages.map(observedStorage) }) };
  } catch (error) {
    if (error instanceof PveError && error.kind === 'unreachable') return { online: false };
    throw error;
  }
}

function observedStorage(row: NodeStorage): ObservedStorage {
  const { storage, type, content, shared, active, enabled, avail } = row;
  return {
    name: storage,
    type,
    content: content.split(','),
    shared: shared === true,
    active: active !== false && enabled !== false,
    available: avail,
  };
}

/** Undefined where the caller may not look, or the server has no such request; every other failure stands. */
export function ifAllowed<T>(reading: Promise<T>): Promise<T | undefined> {
  return unless(['denied', 'not-implemented'], reading);
}

/** Undefined where the server has no such request. */
function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  return unless(['not-implemented'], reading);
}

async function unless<T>(kinds: PveErrorKind[], reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PveError && kinds.includes(error.kind)) return undefined;
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
