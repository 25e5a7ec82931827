import type { Sim } from '../../cluster/sim';
import { storageNamed } from '../../storage/on-node';
import { parseVolumeName, splitVolumeId, volumePath } from '../../storage/volumes/name';
import type { VolumeMove } from './volume-move';

const BLOCK = 4096;

/** The lines of one copied disk (recording 60, steps 7 and 16); a disk that is mirrored live has its own. */
export function copyLines(sim: Sim, { from, volume }: VolumeMove, online: boolean): string[] {
  const arrived = `volume '${from}' is '${volume.volid}' on the target`;
  if (online) return [arrived];
  const storage = storageNamed(sim, volume.storage);
  const path = volumePath(storage, parseVolumeName(storage, splitVolumeId(volume.volid).rest));
  const blocks = Math.ceil(volume.size / BLOCK);
  const copied = `${volume.size} bytes copied`;
  return [
    `Formatting '${path}', fmt=${volume.format} size=${volume.size} preallocation=off`,
    `${blocks}+0 records in`,
    `${blocks}+0 records out`,
    copied,
    `successfully imported '${volume.volid}'`,
    `${blocks}+0 records in`,
    `${blocks}+0 records out`,
    copied,
    arrived,
  ];
}

/** The lines of a live migration (assumed: its figures are made up). */
export function liveLines(vmid: number): string[] {
  const socket = `unix:/run/qemu-server/${vmid}.migrate`;
  return [
    'start remote tunnel',
    'ssh tunnel ver 1',
    `starting online/live migration on ${socket}`,
    'set migration capabilities',
    'migration downtime limit: 100 ms',
    'migration cachesize: 64.0 MiB',
    'set migration parameters',
    `start migrate command to ${socket}`,
    'average migration speed: 512.0 MiB/s - downtime 20 ms',
    'migration completed, transferred 1.2 MiB VM-state',
    'migration status: completed',
  ];
}
