import type { Sim } from '../../cluster/sim';
import { isFileStorage } from '../plugins';
import { contentDirectory, parseVolumeName, splitVolumeId, volumePath } from './name';

/** The volume that stands at a path of a node's file system, on whatever storage; undefined when none does. */
export function volumeAtPath(sim: Sim, path: string): { content: string; volid: string } | undefined {
  for (const storage of sim.world.storages.filter(({ type }) => isFileStorage(type))) {
    const image = sim.world.volumes.find(
      volume =>
        volume.storage === storage.storage &&
        volumePath(storage, parseVolumeName(storage, splitVolumeId(volume.volid).rest)) === path,
    );
    if (image) return { content: image.content, volid: image.volid };
    const directory = `${contentDirectory(storage, 'iso')}/`;
    const name = path.slice(directory.length);
    // PVE: an ISO is known by its place and name, the file is not looked at
    if (path.startsWith(directory) && /^[^/]+\.(?:iso|img)$/i.test(name)) {
      return { content: 'iso', volid: `${storage.storage}:iso/${name}` };
    }
  }
  return undefined;
}
