import { stillWord } from '../guest/stands-still';
import { isOwnerTag } from '../mark/owner-tag';
import type { ListedGuest, ObservedCluster } from '../observed';
import { observeCluster, observeNodes } from '../observe/cluster';
import { SharedReads } from '../observe/shared-reads';
import { ifSeen } from '../observe/if-allowed';
import {
  listActiveTasks,
  listGuests,
  readClock,
  readConfig,
  PveError,
  type ClusterResources,
  type GuestConfig,
  type Pve,
} from '../pve';
import { lockHolder } from '../waits/running-tasks';

/** What is looked at of a cluster. Plain data. */
export interface Facts {
  /** With the bridges and storages of all nodes that are there. */
  cluster: ObservedCluster;
  /** Of each node: with how full it is where the caller has Datastore.Audit, else as its node lists it. */
  storages: ClusterResources['storages'];
  /** How far each node's clock is ahead of ours, in seconds. */
  clocks: { node: string; aheadS: number }[];
  guests: { listed: ListedGuest; config: GuestConfig }[];
  /** Guests of nodes that are there, whose configuration nobody could read, each with what was answered. */
  unseen: { listed: ListedGuest; error: PveError }[];
  /** Guests that were too many to be read. */
  unread: number;
  /** The locked guests that a task is seen to work on. */
  busy: ReadonlySet<number>;
}

/** Guests that are read; those with a tag of ours come first. */
const MOST = 500;

/** Reads what the checks look at. What the caller may not see is left out. */
export async function readFacts(pve: Pve): Promise<Facts> {
  const reads = new SharedReads(pve);
  const listed = await observeCluster(pve, reads);
  const online = listed.nodes.filter(node => node.online).map(({ name }) => name);
  const cluster = await observeNodes(pve, listed, online, 'as read');
  const qemu = cluster.guests.filter(({ type }) => type === 'qemu');
  const ours = qemu.filter(({ tags }) => tags.some(isOwnerTag));
  const asked = [...ours, ...qemu.filter(guest => !ours.includes(guest))].slice(0, MOST);
  const [resources, clocks, still, guests, busy] = await Promise.all([
    reads.resources.since(0),
    Promise.all(online.map(node => clockOf(pve, node))),
    stillIn(
      pve,
      online.filter(name => ours.some(({ node }) => node === name)),
    ),
    Promise.all(asked.map(async listed => ({ listed, ...(await configOf(pve, listed)) }))),
    busyIn(pve, cluster, online),
  ]);
  return {
    cluster,
    storages: [...resources.storages, ...unlisted(cluster, resources.storages)],
    clocks: clocks.flat(),
    guests: guests.flatMap(({ listed: guest, config }) =>
      config ? [{ listed: { ...guest, still: still.get(guest.vmid) }, config }] : [],
    ),
    unseen: guests.flatMap(({ listed: guest, error }) =>
      error !== undefined && online.includes(guest.node) ? [{ listed: guest, error }] : [],
    ),
    unread: qemu.length - asked.length,
    busy,
  };
}

/** A configuration, or what was answered in its place. A wrong token is no answer of one guest. */
async function configOf(
  pve: Pve,
  guest: ListedGuest,
): Promise<{ config: GuestConfig; error?: undefined } | { error: PveError; config?: undefined }> {
  try {
    return { config: await readConfig(pve, guest) };
  } catch (error) {
    if (error instanceof PveError && error.kind !== 'unauthenticated') return { error };
    throw error;
  }
}

/** The guests of some nodes that stand still, by qemu's word. */
async function stillIn(pve: Pve, nodes: readonly string[]): Promise<Map<number, string>> {
  const lists = await Promise.all(nodes.map(node => ifSeen(listGuests(pve, node, true))));
  return new Map(
    lists
      .flatMap(list => list ?? [])
      .flatMap(row => {
        const word = stillWord(row);
        return word === undefined ? [] : [[row.vmid, word] as const];
      }),
  );
}

/** PVE: the cluster lists a storage to who has Datastore.Audit, its node to who has Datastore.AllocateSpace too. */
function unlisted({ nodes }: ObservedCluster, rows: Facts['storages']): Facts['storages'] {
  return nodes.flatMap(({ name: node, storages = [] }) =>
    storages
      .filter(({ name }) => !rows.some(row => row.node === node && row.storage === name))
      .map(({ name, content, shared, active }) => ({
        type: 'storage' as const,
        storage: name,
        node,
        content: content.join(','),
        shared,
        status: active ? 'available' : 'unknown',
      })),
  );
}

/** The task of a clone has the id of its source, and that of a backup of many guests has none. */
async function busyIn(pve: Pve, cluster: ObservedCluster, online: string[]): Promise<Set<number>> {
  const tasks = await Promise.all(online.map(node => ifSeen(listActiveTasks(pve, node))));
  const running = tasks.flatMap(each => each ?? []);
  const held = await Promise.all(
    cluster.guests.map(async ({ vmid, node, lock }) => {
      if (lock === undefined) return [];
      const isNamed = running.some(({ type, id }) => id === String(vmid) && type !== 'qmclone');
      return isNamed || (await lockHolder(pve, cluster, { vmid, node }, lock)) ? [vmid] : [];
    }),
  );
  return new Set(held.flat());
}

async function clockOf(pve: Pve, node: string): Promise<Facts['clocks']> {
  const before = Date.now();
  const clock = await ifSeen(readClock(pve, node));
  if (clock === undefined) return [];
  const ours = (before + Date.now()) / 2 / 1000;
  return [{ node, aheadS: Math.round(clock.time - ours) }];
}
