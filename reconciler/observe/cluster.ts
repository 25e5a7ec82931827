import { splitTags } from '../mark/owner-tag';
import type { ListedGuest, ObservedCluster, ObservedNode, ObservedStorage } from '../observed';
import type { ClusterResources, DatacenterOptions, GuestRow, NodeRow, NodeStorage, Pve } from '../pve';
import { PveError, listBridges, listStorages } from '../pve';
import type { SharedReads } from './shared-reads';
import { ifAllowed } from './if-allowed';
import { listedStorages } from './listed-storages';

/** A cluster of which nothing was read. The datacenter's own range of ids is Proxmox's default; both ends are part of it. */
export const NOT_READ: ObservedCluster = {
  version: '',
  quorate: undefined,
  nodes: [],
  guests: [],
  nextId: { lower: 100, upper: 999_999_999 },
  permissions: {},
};

/** Reads what a run needs to know of the cluster: five requests, whatever the number of machines. */
export async function observeCluster(pve: Pve, reads: SharedReads): Promise<ObservedCluster> {
  const [resources, status, options, permissions, told] = await Promise.all([
    reads.resources.now(),
    reads.status.now(),
    reads.options.now(),
    reads.permissions.now(),
    reads.version.now(),
  ]);
  const range = options?.['next-id'];
  const rights = rightsOf(pve, permissions);
  const storages = listedStorages(resources.storages, rights);
  return {
    version: told?.version ?? NOT_READ.version,
    quorate: status?.quorate,
    nodes: resources.nodes.map(row => observedNode(row, storages.get(row.node))),
    guests: listedGuests(resources),
    // the upper end of the datacenter's range is not part of it (pve-manager API2/Cluster.pm nextid)
    nextId: {
      lower: range?.lower ?? NOT_READ.nextId.lower,
      upper: range?.upper === undefined ? NOT_READ.nextId.upper : range.upper - 1,
    },
    ...rights,
    ...tagRulesOf(options),
  };
}

/** How long it is believed what the caller may do, where Proxmox judges each write itself. */
export const RIGHTS_MS = 10_000;

/**
 * What tells where a guest is that may be destroyed: the listing, the quorum, what the caller may do. The quorum is read
 * for this destroy: without it nothing is stopped. The listing may be a second old, and the guest is read again.
 */
export async function observeToDestroy(pve: Pve, reads: SharedReads): Promise<ObservedCluster> {
  const [resources, status, permissions] = await Promise.all([
    reads.resources.recent(),
    reads.status.soon(),
    reads.permissions.recent(RIGHTS_MS),
  ]);
  const guests = listedGuests(resources);
  return { ...NOT_READ, guests, quorate: status?.quorate, ...rightsOf(pve, permissions) };
}

/** Where nobody's rights can be read, nothing is held against the caller: Proxmox has the last word. */
export function rightsOf(
  pve: Pve,
  permissions: ObservedCluster['permissions'] | 'hidden' | undefined,
): Pick<ObservedCluster, 'permissions' | 'caller' | 'rightsHidden'> {
  if (permissions === 'hidden') return { permissions: {}, rightsHidden: true };
  return permissions ? { permissions, caller: callerOf(pve) } : { permissions: {} };
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

/**
 * Adds the bridges and storages of some nodes: two requests a node, or one where the storages that the listing tells
 * will do. A node that does not answer is left as it is.
 */
export async function observeNodes(
  pve: Pve,
  cluster: ObservedCluster,
  names: string[],
  storages: 'as read' | 'as listed',
): Promise<ObservedCluster> {
  const nodes = await Promise.all(
    cluster.nodes.map(async node => {
      const isKnown = node.storages !== undefined && (storages === 'as listed' || !isAsListed(node));
      const wanted = names.includes(node.name) && node.online && !isKnown;
      return wanted ? { ...node, ...(await nodeDetail(pve, node, storages)) } : node;
    }),
  );
  return { ...cluster, nodes };
}

/** Whether its storages are known from the listing alone. */
export function isAsListed({ storages, listedStorages: listed }: ObservedNode): boolean {
  return storages !== undefined && storages === listed;
}

async function nodeDetail(
  pve: Pve,
  node: ObservedNode,
  from: 'as read' | 'as listed',
): Promise<Partial<ObservedNode>> {
  const listed = from === 'as listed' ? node.listedStorages : undefined;
  try {
    const [bridges, storages] = await Promise.all([
      node.bridges ?? ifAllowed(listBridges(pve, node.name)),
      listed ?? ifAllowed(listStorages(pve, node.name)).then(rows => rows?.map(observedStorage)),
    ]);
    return { ...(bridges && { bridges }), ...(storages && { storages }) };
  } catch (error) {
    if (error instanceof PveError && error.kind === 'unreachable') return { online: false };
    throw error;
  }
}

function observedStorage(row: NodeStorage): ObservedStorage {
  const { storage, type, content, shared, active, enabled, avail, total } = row;
  return {
    name: storage,
    type,
    content: content.split(','),
    shared: shared === true,
    active: active !== false && enabled !== false,
    available: avail,
    ...(total !== undefined && { total }),
  };
}

function observedNode(
  { node, status, maxcpu, maxmem, mem, hastate }: NodeRow,
  listed: ObservedStorage[] | undefined,
): ObservedNode {
  return {
    name: node,
    online: status === 'online',
    maintenance: hastate === 'maintenance',
    cpus: maxcpu ?? 0,
    // without what is used nobody knows what is free: 0 says that nothing is known
    memory: mem === undefined ? 0 : (maxmem ?? 0),
    memoryUsed: mem ?? 0,
    ...(listed && { listedStorages: listed }),
  };
}

/** The nodes that a listing says to be down. One that it does not name may be hidden from the caller. */
export function downNodes({ nodes }: ClusterResources): string[] {
  return nodes.filter(({ status }) => status === 'offline').map(({ node }) => node);
}

/** The guests of a listing, by their ids. */
export function listedGuests({ guests }: ClusterResources): ListedGuest[] {
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
    ...(row.memhost !== undefined && { memoryTaken: row.memhost }),
  };
}
