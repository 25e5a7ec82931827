import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { isFileStorage } from '../plugins';
import { storageNamed } from '../on-node';
import { missingText } from '../tool-texts';
import { parseVolumeName, splitVolumeId, volumePath } from './name';

const FLAGS = { rollback: '-a', delete: '-d' };

/** Why a snapshot of a volume that is gone cannot be used: the tool's failure on files (recording g6, steps 22 and 27), else assumed. */
export function snapshotFailure(
  sim: Sim,
  action: keyof typeof FLAGS,
  volid: string,
  snapname: string,
): string {
  const { storage: id, rest } = splitVolumeId(volid);
  const storage = storageNamed(sim, id);
  if (!isFileStorage(storage.type)) return missingText(storage, rest);
  const path = volumePath(storage, parseVolumeName(storage, rest));
  return `command '/usr/bin/qemu-img snapshot ${FLAGS[action]} ${snapname} ${path}' failed: exit code 1`;
}

/** Fails with that text. */
export function failSnapshot(sim: Sim, action: keyof typeof FLAGS, volid: string, snapname: string): never {
  return fail(snapshotFailure(sim, action, volid, snapname));
}
