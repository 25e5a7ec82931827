import { fail } from '../failure';
import { needQuorum } from '../cluster/quorum';
import type { Sim } from '../cluster/sim';
import type { Storage, Volume } from '../world';

/** The storage's definition, or Proxmox's failure. */
export function storageNamed(sim: Sim, id: string): Storage {
  const storage = sim.world.storages.find(each => each.storage === id);
  return storage ?? fail(`storage '${id}' does not exist`);
}

/** The storage, usable on this node, or Proxmox's failure: it must exist, be enabled, and be for this node. */
export function storageOn(sim: Sim, node: string, id: string): Storage {
  const storage = storageNamed(sim, id);
  if (!storage.enabled) fail(`storage '${id}' is disabled`);
  if (!isOn(storage, node)) fail(`storage '${id}' is not available on node '${node}'`);
  return storage;
}

/** Fails for a shared storage without a quorum: its lock is the cluster's. To be called before volumes come or go. */
export function needStorageLock(sim: Sim, { storage, shared }: Storage): void {
  if (shared) needQuorum(sim.world, `cfs-lock 'storage-${storage}' error: no quorum!`);
}

/** Whether the storage's definition names this node, or no node at all. */
export function isOn(storage: Storage, node: string): boolean {
  return storage.nodes === undefined || storage.nodes.includes(node);
}

/** The content types that a storage takes. */
export function contentOf(storage: Storage): string[] {
  return storage.content.split(',').filter(each => each !== '' && each !== 'none');
}

/** The volumes that stand on this storage as this node sees it. */
export function volumesOn(sim: Sim, node: string, storage: Storage): Volume[] {
  return sim.world.volumes.filter(
    volume => volume.storage === storage.storage && (volume.node === null || volume.node === node),
  );
}

/** Whether all nodes see the same files there. The flag of a folder does not make it so: Proxmox believes it, the disks do not. */
export function isEverywhere({ shared, everywhere }: Storage): boolean {
  return everywhere ?? shared;
}

/** The node that a new volume of the storage stands on; null: all. */
export function placeOnStorage(storage: Storage, node: string): string | null {
  return isEverywhere(storage) ? null : node;
}

/** Bytes in use and free on a storage as this node sees it. */
export function spaceOf(sim: Sim, node: string, storage: Storage): { used: number; avail: number } {
  const used = volumesOn(sim, node, storage).reduce((sum, volume) => sum + bytesTaken(volume), 0);
  return { used, avail: Math.max(0, storage.total - used) };
}

/** The bytes that a volume takes on its storage. */
export function bytesTaken(volume: Volume): number {
  return volume.filesize ?? volume.size;
}
