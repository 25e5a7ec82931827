import { hasPrivileges } from '../access/privileges';
import { haServiceOf, haResourceOf, requestedState } from '../ha/guest-in-ha';
import type { Sim } from '../cluster/sim';
import { isOn } from '../storage/on-node';
import type { Guest, Node, Storage } from '../world';
import { nodeFigures } from './node-figures';
import { seenOnline } from '../cluster/seen-online';
import { figuresOf } from './statistics';

export type Row = Record<string, unknown>;

/** A guest as the cluster's lists show it: its place at once, the rest as the last round found it. */
export function guestRow(sim: Sim, guest: Guest): Row {
  const { vmid, type, node } = guest;
  const id = `${type}/${vmid}`;
  const figures = figuresOf(sim, guest);
  if (!figures) return { id, type, node, vmid, status: 'unknown' };
  // written out in one piece: ten thousand of these are made for one answer
  return {
    id,
    type,
    node,
    vmid,
    name: figures.name,
    status: figures.status,
    template: figures.template,
    uptime: figures.uptime,
    cpu: figures.cpu,
    maxcpu: figures.maxcpu,
    mem: figures.mem,
    maxmem: figures.maxmem,
    memhost: figures.memhost,
    disk: figures.disk,
    maxdisk: figures.maxdisk,
    diskread: 0,
    diskwrite: 0,
    netin: figures.netin,
    netout: figures.netout,
  };
}

/** Adds what /cluster/resources reads of a guest at once: lock, tags, pool and the HA state. */
export function markLive(sim: Sim, row: Row, { vmid, config }: Guest, pool: string | undefined): void {
  if (config['lock'] !== undefined) row['lock'] = config['lock'];
  if (config['tags'] !== undefined) row['tags'] = config['tags'];
  if (pool !== undefined) row['pool'] = pool;
  const resource = haResourceOf(sim, vmid);
  if (resource) row['hastate'] = haServiceOf(sim, vmid)?.state ?? requestedState(resource);
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
