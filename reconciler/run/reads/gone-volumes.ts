import { isDisk, isSameVolume, ownerOfVolume, readDrive } from '../../guest/drive';
import { DRIVE_KEYS } from '../../guest/slot-names';
import type { ObservedCluster, ObservedGuest } from '../../observed';
import { holds, meets } from '../../privileges/held';
import { onGuest, onPath } from '../../privileges/need';
import { orInterrupt } from '../../observe/shared-reads';
import { readConfig } from '../../pve';
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
  // Proxmox destroys none that runs: it has lost no volume in the moment since the last look
  const mostMs = guest.power === 'running' && toldGone.size === 0 ? RECENT_MS : 0;
  const look = lookerAt(run, guest, mostMs);
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

/** A plan looks, and its next round a write later: one look is enough for both, and for other machines on that pool. */
const RECENT_MS = 30_000;

/** Whether a volume is there; undefined: nobody can tell. `mostMs`: how old a list may be that shows it; one that does not is read anew. */
function lookerAt(
  run: Run,
  { node, vmid, pool }: ObservedGuest,
  mostMs: number,
): (volume: string) => Promise<boolean | undefined> {
  const asked = performance.now();
  const listed = run.cluster.nodes.find(({ name }) => name === node)?.listedStorages;
  return async volume => {
    const [storage = ''] = volume.split(':');
    const owner = ownerOfVolume(volume);
    const place = { storage, vmid: owner ?? 0, pool: owner === vmid ? pool : undefined };
    // PVE leaves out what the caller may not use
    if (owner === undefined || !isListedTo(run.cluster, place)) return undefined;
    const known = listed?.find(({ name }) => name === storage);
    const lists = run.shared.imageLists.of({ node, storage, type: known?.type, owner });
    const isIn = async (since: number): Promise<boolean | undefined> => {
      const list = await orInterrupt(lists.since(since), run.signal);
      return list?.some(({ volid }) => isSameVolume(volid, volume));
    };
    return (await isIn(asked - mostMs)) === true || isIn(asked);
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
