import { fail } from '../failure';
import type { Sim } from '../sim';
import { isFileStorage } from './plugins';
import { storageOn } from './storage-on';
import { parseVolumeName, splitVolumeId, volumePath } from './volume-name';
import { freeVolume, tryFindVolume } from './volumes';

/**
 * Removes a volume as the storage layer does: a missing file is only reported, a missing block volume fails.
 * Fails also while linked clones stand on it.
 */
export function freeOrReport(sim: Sim, node: string, volid: string, log: (line: string) => void): void {
  const { storage: id, rest } = splitVolumeId(volid);
  const storage = storageOn(sim, node, id);
  const name = parseVolumeName(storage, rest);
  const volume = tryFindVolume(sim, node, volid);
  if (volume) {
    freeVolume(sim, volume);
    return;
  }
  if (!isFileStorage(storage.type)) {
    // assumed: the words of lvremove
    fail(`lvremove 'pve/${name.name}' error:   Failed to find logical volume "pve/${name.name}"`);
  }
  log(`disk image '${volumePath(storage, name)}' does not exist`);
}
