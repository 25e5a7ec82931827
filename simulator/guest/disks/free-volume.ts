import { fail } from '../../failure';
import { drivesOf } from '../drives/drive';
import type { Sim } from '../../cluster/sim';
import { isFileStorage } from '../../storage/plugins';
import { storageOn } from '../../storage/on-node';
import { busyText, notRemovedText } from '../../storage/tool-texts';
import { parseVolumeName, splitVolumeId, volumePath } from '../../storage/volumes/name';
import { freeVolume, tryFindVolume } from '../../storage/volumes/volumes';

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
    const busy = isRunning(sim, volid) ? busyText(storage, name.name) : undefined;
    if (busy !== undefined) fail(busy);
    freeVolume(sim, volume);
    return;
  }
  if (!isFileStorage(storage.type)) fail(notRemovedText(storage, name.name));
  log(`disk image '${volumePath(storage, name)}' does not exist`);
}

/** Whether a running guest uses the volume. */
function isRunning(sim: Sim, volid: string): boolean {
  return Object.values(sim.world.guests).some(
    ({ running, config }) => running && drivesOf(config).some(({ file }) => file === volid),
  );
}
