import type { ObservedCluster } from '../observed';
import { bridgeWays } from './bridge-needs';
import { meets } from './held';
import { onPath } from './need';

/**
 * Whether Proxmox would hide from the caller what seems to be missing. Then its absence proves nothing, and the
 * privilege that he lacks is the thing to tell.
 */
export function isHidden(
  { why, to }: { why: string; to?: string | undefined },
  cluster: ObservedCluster,
): boolean {
  return to !== undefined && HIDDEN[why]?.(to, cluster) === true;
}

const HIDDEN: Readonly<Record<string, (name: string, cluster: ObservedCluster) => boolean>> = {
  'bridge-not-found': hidesBridge,
  'storage-not-found': hidesStorage,
  'pool-not-found': (name, cluster) => !meets(cluster, onPath(name, `/pool/${name}`, 'Pool.Audit')),
  'volume-not-found': hidesVolume,
  'pci-mapping-not-found': (name, cluster) => hidesMapping('pci', name, cluster),
  'usb-mapping-not-found': (name, cluster) => hidesMapping('usb', name, cluster),
};

/** PVE: API2/Cluster/Mapping. */
function hidesMapping(kind: 'pci' | 'usb', name: string, cluster: ObservedCluster): boolean {
  const seenWith = ['Mapping.Use', 'Mapping.Modify', 'Mapping.Audit'];
  return !meets(cluster, onPath(name, `/mapping/${kind}/${name}`, ...seenWith));
}

/** PVE lists an ISO file to who sees its storage, and an image to who may use its owner's disks (check_volume_access). */
function hidesVolume(volume: string, cluster: ObservedCluster): boolean {
  const [storage = ''] = volume.split(':');
  if (volume.includes(':iso/')) return hidesStorage(storage, cluster);
  return !meets(cluster, onPath(volume, `/storage/${storage}`, 'Datastore.Allocate'));
}

/** Whether Proxmox would not list this bridge to the caller, were it there. */
export function hidesBridge(name: string, cluster: ObservedCluster): boolean {
  return !meets(cluster, bridgeWays(name, cluster.permissions));
}

/** Whether Proxmox would not list this storage to the caller, were it there. */
export function hidesStorage(name: string, cluster: ObservedCluster): boolean {
  return !meets(cluster, onPath(name, `/storage/${name}`, 'Datastore.Audit', 'Datastore.AllocateSpace'));
}
