import { isDisk, isSameVolume, ownerOfVolume, readDrive } from '../../guest/drive';
import { DRIVE_KEYS } from '../../guest/slot-names';
import type { ObservedCluster, ObservedGuest } from '../../observed';
import { ifSeen } from '../../observe/if-allowed';
import { holds, meets } from '../../privileges/held';
import { onGuest, onPath } from '../../privileges/need';
import { listImagesOf, readConfig, type StorageVolume } from '../../pve';
import type { Run } from '../run';

/**
 * The volumes of a guest's disks that are not on their storages. Looked for only where something speaks for it: a plan is
 * about to work on them, its making or a destroy of it was cut short, or Proxmox has just said so. Reads only.
 */
export async function goneVolumes(
  run: Run,
  guest: ObservedGuest,
  { isDoubtful, toldGone }: { isDoubtful: boolean; toldGone: ReadonlySet<string> },
): Promise<string[]> {
  if (!isDoubtful && !(await run.clusterTasks.tellFailedDestroy(guest))) return [];
  const look = lookerAt(run, guest);
  const volumes = volumesOfDisks(guest);
  const there = await Promise.all(volumes.map(look));
  const gone = volumes.filter(
    (volume, at) => there[at] === false || (there[at] === undefined && toldGone.has(volume)),
  );
  if (gone.length === 0) return [];
  // a rival that made a template of it, or moved a disk, has given its volumes other names since the guest was read
  const named = volumesOfDisks(await readConfig(run.pve, guest));
  return gone.filter(volume => named.includes(volume));
}

/** The volumes that the disks of a guest name. */
export function volumesOfDisks({ current, pending }: Pick<ObservedGuest, 'current' | 'pending'>): string[] {
  const lines = [current, pending].flatMap(config => DRIVE_KEYS.map(key => config[key] ?? undefined));
  const files = lines.filter(isDisk).map(line => readDrive(line));
  return [...new Set(files.flatMap(({ file, storage }) => (storage === undefined ? [] : [file])))];
}

/** Whether a volume is there; undefined: nobody can tell. One request for all that have one number on one storage. */
function lookerAt(
  run: Run,
  { node, vmid, pool }: ObservedGuest,
): (volume: string) => Promise<boolean | undefined> {
  const lists = new Map<string, Promise<StorageVolume[] | undefined>>();
  return async volume => {
    const [storage = ''] = volume.split(':');
    const owner = ownerOfVolume(volume);
    const place = { storage, vmid: owner ?? 0, pool: owner === vmid ? pool : undefined };
    // PVE leaves out what the caller may not use
    if (owner === undefined || !isListedTo(run.cluster, place)) return undefined;
    const key = `${storage} ${owner}`;
    const list = lists.get(key) ?? ifSeen(listImagesOf(run.pve, { node, storage, vmid: owner }));
    lists.set(key, list);
    return (await list)?.some(({ volid }) => isSameVolume(volid, volume));
  };
}

/** PVE lists an image to who may allocate on its storage, or sees that and may use its owner's disks (check_volume_access). */
function isListedTo(
  cluster: ObservedCluster,
  { storage, ...owner }: { storage: string; vmid: number; pool: string | undefined },
): boolean {
  const path = `/storage/${storage}`;
  if (holds(cluster, { path, privilege: 'Datastore.Allocate' })) return true;
  const audits = meets(cluster, onPath(storage, path, 'Datastore.Audit'));
  return audits && meets(cluster, onGuest(storage, owner, 'VM.Config.Disk'));
}
