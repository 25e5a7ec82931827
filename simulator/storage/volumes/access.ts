import type { Right } from '../../access/asked/asked';
import { waysOn } from '../../access/asked/asked';
import { hasOneWay, isRootUser, requirePrivileges } from '../../access/privileges';
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
  const all = { path, privilege: 'Datastore.Allocate' };
  if (['iso', 'vztmpl', 'import'].includes(volume.content)) {
    const either = ['Datastore.AllocateSpace', 'Datastore.Audit'];
    if (hasOneWay(sim, user, [...waysOn(path, either, true), [all]])) return;
    return requirePrivileges(sim, user, path, either, true);
  }
  const isOwn = volume.vmid !== undefined && volume.vmid === vmid;
  const rights = volume.vmid === undefined ? [] : rightsOnVolume(path, volume.vmid, volume.content);
  const ways = rights.length === 0 ? [[all]] : [rights, [all]];
  if (isOwn || hasOneWay(sim, user, ways)) return;
  if (volume.vmid === undefined) fail(`missing privileges to access ${volid}`);
  for (const right of rights) requirePrivileges(sim, user, right.path, [right.privilege]);
}

/** What the volume of another guest takes: to read its backup, or to use its disk. */
function rightsOnVolume(path: string, vmid: number, content: string): Right[] {
  const guest = `/vms/${vmid}`;
  return content === 'backup'
    ? [
        { path, privilege: 'Datastore.AllocateSpace' },
        { path: guest, privilege: 'VM.Backup' },
      ]
    : [
        { path, privilege: 'Datastore.Audit' },
        { path: guest, privilege: 'VM.Config.Disk' },
      ];
}
