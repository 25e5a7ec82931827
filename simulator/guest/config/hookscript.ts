import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { storageNamed } from '../../storage/on-node';
import { parseVolumeName, splitVolumeId } from '../../storage/volumes/name';
import { findVolume } from '../../storage/volumes/volumes';

/** Fails unless the volume is a script that a guest may run at its start and stop. */
export function checkHookscript(sim: Sim, node: string, volid: string): void {
  const { storage, rest } = splitVolumeId(volid);
  const { content } = parseVolumeName(storageNamed(sim, storage), rest);
  if (content !== 'snippets') fail(`'${volid}' is not in the snippets directory`);
  if (!findVolume(sim, node, volid)) fail(`script '${volid}' does not exist`);
  // assumed: snippets of the simulation carry no execute bit, as the API cannot set one
  fail(`script '${volid}' is not executable`);
}
