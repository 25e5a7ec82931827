import type { ObservedCluster, ObservedStorage } from '../observed';
import type { ClusterResources } from '../pve';

type ListedStorage = ClusterResources['storages'][number];

/** A file system keeps a twentieth for root, which the listing counts as free. */
const KEPT_BACK = 20;

/**
 * The storages of each node as the cluster's listing tells them, with a little less room than there may be. A node of
 * which it does not tell all is left out, and all are where Proxmox may hide some from the caller.
 */
export function listedStorages(
  rows: readonly ListedStorage[],
  rights: Pick<ObservedCluster, 'permissions' | 'caller'>,
): ReadonlyMap<string, ObservedStorage[]> {
  const byNode = new Map<string, ObservedStorage[]>();
  if (!seesAll(rights)) return byNode;
  const untold = new Set<string>();
  for (const row of rows) {
    const storage = listedStorage(row);
    if (storage === undefined) untold.add(row.node);
    else byNode.set(row.node, [...(byNode.get(row.node) ?? []), storage]);
  }
  untold.forEach(node => byNode.delete(node));
  return byNode;
}

/** PVE: the listing has what the caller may audit; a node's own list also where he may only allocate. */
function seesAll({ permissions, caller }: Pick<ObservedCluster, 'permissions' | 'caller'>): boolean {
  const named = Object.keys(permissions).filter(path => path.startsWith('/storage/'));
  const passedOn = permissions['/storage'] ?? permissions['/'] ?? {};
  return (
    caller !== undefined &&
    passedOn['Datastore.Audit'] === 1 &&
    named.every(path => 'Datastore.Audit' in (permissions[path] ?? {}))
  );
}

/** Undefined: its node has told nothing of it for minutes, or it is not active there. */
function listedStorage(row: ListedStorage): ObservedStorage | undefined {
  const { storage: name, plugintype: type, content, shared, status, maxdisk, disk } = row;
  if (status !== 'available' || type === undefined || content === undefined) return undefined;
  if (maxdisk === undefined || disk === undefined) return undefined;
  const available = Math.max(0, Math.floor(maxdisk - disk - maxdisk / KEPT_BACK));
  const kind = { name, type, content: content.split(','), shared: shared === true };
  return { ...kind, active: true, available, total: maxdisk };
}
