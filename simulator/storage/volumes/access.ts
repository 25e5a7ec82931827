import { hasPrivileges, isRootUser, requirePrivileges } from '../../access/privileges';
import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { storageNamed } from '../on-node';
import { parseVolumeName, trySplitVolumeId } from './name';

/** Fails unless the user may read the volume, or use it for the guest `vmid`. `content`: it must be of this kind. */
export function requireVolumeAccess(
  sim: Sim,
  user: string,
  volid: string,
  { vmid, content }: { vmid?: number; content?: string } = {},
): void {
  const split = trySplitVolumeId(volid);
  if (!split) {
    if (!isRootUser(user)) {
      fail('Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 584.');
    }
    return;
  }
  const volume = parseVolumeName(storageNamed(sim, split.storage), split.rest);
  if (content !== undefined && volume.content !== content) {
    fail(`unable to use volume ${volid} - content type needs to be '${content}'`);
  }
  const path = `/storage/${split.storage}`;
  if (hasPrivileges(sim, user, path, ['Datastore.Allocate'])) return;
  if (['iso', 'vztmpl', 'import'].includes(volume.content)) {
    requirePrivileges(sim, user, path, ['Datastore.AllocateSpace', 'Datastore.Audit'], true);
    return;
  }
  if (volume.vmid === undefined) fail(`missing privileges to access ${volid}`);
  if (volume.vmid === vmid) return;
  const backup = volume.content === 'backup';
  requirePrivileges(sim, user, path, [backup ? 'Datastore.AllocateSpace' : 'Datastore.Audit']);
  requirePrivileges(sim, user, `/vms/${volume.vmid}`, [backup ? 'VM.Backup' : 'VM.Config.Disk']);
}
