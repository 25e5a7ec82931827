import { fail } from '../../failure';
import { parsePropertyString } from '../../schema/property-string';
import type { Sim } from '../../cluster/sim';
import { storageNamed, storageOn } from '../../storage/on-node';
import { parseVolumeName, splitVolumeId } from '../../storage/volumes/name';
import { requireVolume } from '../../storage/volumes/volumes';
import type { Guest } from '../../world';
import { drivesOf, isCloudInit } from '../drives/drive';

/**
 * Writes the guest's cloud-init image anew, if it has a drive for it: the image holds the present values, and nothing
 * differs from it any more. Fails when its storage, or a snippet that the configuration names, is not there.
 */
export function generateCloudInit(sim: Sim, guest: Guest): void {
  const { config } = guest;
  const drives = drivesOf(config).filter(isCloudInit);
  if (drives.length > 0) {
    // PVE: Cloudinit.pm, commit_cloudinit_disk, as read: the storage is asked for its settings, and activated (assumed wording)
    for (const { file } of drives) storageOn(sim, guest.node, splitVolumeId(file).storage);
    const { cicustom } = config;
    const snippets = cicustom === undefined ? {} : parsePropertyString('pve-qm-cicustom', cicustom);
    for (const part of ['network', 'user', 'meta', 'vendor']) {
      if (snippets[part] !== undefined) requireSnippet(sim, guest.node, snippets[part]);
    }
    guest.cloudInitImage = { ...config };
  }
  delete guest.cloudInitChanges;
}

function requireSnippet(sim: Sim, node: string, volid: string): void {
  const { storage, rest } = splitVolumeId(volid);
  const { content } = parseVolumeName(storageNamed(sim, storage), rest);
  if (content !== 'snippets') fail(`${volid} is not in the snippets directory`);
  requireVolume(sim, node, volid);
}
