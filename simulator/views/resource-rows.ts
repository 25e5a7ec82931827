import { hasPrivileges } from '../access/privileges';
import { haServiceOf, haResourceOf, requestedState } from '../ha/request';
import type { Sim } from '../sim';
import { isOn } from '../storage/storage-on';
import type { Guest, Node, Storage } from '../world';
import { nodeFigures } from './node-figures';
import { seenOnline } from './seen-online';
import { figuresOf } from './statistics';

export type Row = Record<string, unknown>;

/** A guest as the cluster's lists show it: place, lock and tags at once, the rest as the last round found it. */
export function guestRow(sim: Sim, guest: Guest): Row {
  const { vmid, type, node } = guest;
  const place = { id: `${type}/${vmid}`, type, node, vmid };
  return { ...place, ...(figuresOf(sim, guest) ?? { status: 'unknown' }) };
}

/** What /cluster/resources reads of a guest at once, beside its row. */
export function liveMarks(sim: Sim, { vmid, config }: Guest, pool: string | undefined): Row {
  const resource = haResourceOf(sim, vmid);
  const hastate = haServiceOf(sim, vmid)?.state ?? (resource && requestedState(resource));
  return {
    ...(config['lock'] !== undefined && { lock: config['lock'] }),
    ...(config['tags'] !== undefined && { tags: config['tags'] }),
    ...(pool !== undefined && { pool }),
    ...(hastate !== undefined && { hastate }),
  };
}

/** A node; without Sys.Audit on it the numbers are left out. */
export function nodeRow(sim: Sim, from: string, node: Node, user: string): Row {
  const place = { id: `node/${node.name}`, node: node.name, type: 'node' };
  if (!seenOnline(sim, from, node)) return { ...place, status: 'offline' };
  const mayAudit = hasPrivileges(sim, user, `/nodes/${node.name}`, ['Sys.Audit']);
  return { ...place, status: 'online', level: '', ...(mayAudit && nodeFigures(sim, node)) };
}

/** A storage on one node. */
export function storageRow(sim: Sim, from: string, node: Node, storage: Storage, used: number): Row {
  const row = {
    id: `storage/${node.name}/${storage.storage}`,
    storage: storage.storage,
    node: node.name,
    type: 'storage',
    plugintype: storage.type,
    content: storage.content,
    shared: storage.shared ? 1 : 0,
  };
  if (!seenOnline(sim, from, node)) return { ...row, status: 'unknown' };
  return { ...row, status: 'available', disk: used, maxdisk: storage.total };
}

/** The storages that a node uses. */
export function storagesOf(sim: Sim, node: string): Storage[] {
  return sim.world.storages.filter(storage => storage.enabled && isOn(storage, node));
}

/** The pool of each guest that is in one. */
export function poolsByGuest(sim: Sim): Map<number, string> {
  return new Map(
    Object.entries(sim.world.pools).flatMap(([poolid, { vms }]) =>
      vms.map((vmid): [number, string] => [vmid, poolid]),
    ),
  );
}
