import { hasPrivileges } from '../../access/privileges';
import type { Sim } from '../../cluster/sim';
import { fail } from '../../failure';
import { requestedState } from '../../ha/guest-in-ha';
import { findNamed } from '../../own-keys';
import { storageNamed, volumesOn } from '../../storage/on-node';
import type { Place } from '../../guest/place';
import type { Guest } from '../../world';
import type { BackupWishes } from './backup-wishes';

/** Fails where Proxmox does not begin with a guest's backup. PVE: VZDump.pm exec_backup_task, in its order. */
export function requireBackup(sim: Sim, place: Place, wishes: BackupWishes): void {
  const guest = sim.world.guests[place.vmid];
  if (guest?.node !== place.node) return fail(`unable to find VM '${place.vmid}'`);
  if (wishes.mode === 'stop' && isStartedByHa(sim, place.vmid)) {
    fail(
      'Cannot execute a backup with stop mode on a HA managed and enabled Service. ' +
        'Use snapshot mode or disable the Service.',
    );
  }
  requirePlace(sim, guest, wishes);
}

/** PVE: asks the resources, whether or not HA is disarmed. */
function isStartedByHa({ world }: Sim, vmid: number): boolean {
  return ['vm', 'ct'].some(type => {
    const resource = findNamed(world.ha.resources, `${type}:${vmid}`);
    return resource !== undefined && requestedState(resource) === 'started';
  });
}

/** Nothing is pruned for a backup that is to stay, or where nothing may be removed: then only so many may stand there. */
function requirePlace(sim: Sim, { node, vmid, type }: Guest, wishes: BackupWishes): void {
  const { storage: id, retention, remove, user } = wishes;
  const storage = storageNamed(sim, id);
  const limit = limitOf(retention);
  if ((limit === 0 || remove) && !wishes.protected) return;
  const backups = volumesOn(sim, node, storage).filter(
    volume => volume.content === 'backup' && volume.vmid === vmid && !isOfOther(volume.volid, type),
  );
  const kept = backups.filter(volume => volume.protected).length;
  if (wishes.protected) {
    const said = storage.options?.['max-protected-backups'];
    const most = Number(
      said ?? (hasPrivileges(sim, user, `/storage/${id}`, ['Datastore.Allocate']) ? -1 : 5),
    );
    if (most > -1 && kept >= most) {
      fail(`The number of protected backups per guest is limited to ${most} on storage '${id}'`);
    }
  } else if (backups.length - kept >= limit) {
    fail(
      `There is a max backup limit of ${limit} enforced by the target storage or the vzdump parameters. ` +
        'Either increase the limit or delete old backups.',
    );
  }
}

/** How many backups a retention leaves; 0: it leaves all. */
function limitOf(retention: Record<string, string>): number {
  if (Number(retention['keep-all'] ?? 0) !== 0) return 0;
  return Object.values(retention).reduce((sum, count) => sum + Number(count), 0);
}

function isOfOther(volid: string, type: string): boolean {
  const found = /\/vzdump-(qemu|lxc)-/.exec(volid)?.[1];
  return found !== undefined && found !== type;
}
