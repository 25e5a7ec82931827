import { onlyRoot } from '../../access/root-only';
import { isRootUser, requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { failParameters } from '../../failure';
import { loadGuest } from '../../guest/conf-file/load';
import { readConfigRequest } from '../../guest/config/config-request';
import { checkUpdate, updateConfig } from '../../guest/config/update';
import { lockedInTask } from '../../guest/lock';
import type { DiskMove } from '../../guest/disks/move';
import { checkMove, moveDisk } from '../../guest/disks/move';
import { placeOf } from '../../guest/place';
import type { DiskReassignment } from '../../guest/disks/reassign';
import { checkReassignment, reassignDisk } from '../../guest/disks/reassign';
import { checkResize, resizeDisk } from '../../guest/disks/resize';
import { splitVolumeId } from '../../storage/volumes/name';
import { updateNow } from './config';

/** Disks of guests: resize, move, give away, unlink. */
export const qemuDiskHandlers: HandlerTable = {
  'PUT /nodes/{node}/qemu/{vmid}/resize': resize,
  'POST /nodes/{node}/qemu/{vmid}/move_disk': move,
  'PUT /nodes/{node}/qemu/{vmid}/unlink': unlink,
};

/** PVE: nothing is looked at before the task, not even whether the guest exists. */
function resize(call: Call): string {
  const { sim, node, user, params } = call;
  const place = placeOf(call);
  onlyRoot(call, 'skiplock');
  const { disk = '', size = '', digest, skiplock } = params;
  return sim.tasks.start({ type: 'resize', id: String(place.vmid), node, user }, task =>
    lockedInTask(sim, task, place, async () => {
      const guest = loadGuest(sim, node, place.vmid);
      const ready = checkResize(sim, guest, { user, disk, size, digest, skiplock: skiplock === '1' });
      if (!ready) return;
      await task.workUsual();
      resizeDisk(sim, guest, ready, line => task.log(line));
    }),
  );
}

function move(call: Call): string {
  const { storage, 'target-vmid': target } = call.params;
  if (storage !== undefined && target !== undefined) {
    const text = "either set 'storage' or 'target-vmid', but not both";
    failParameters({ 'target-vmid': text, storage: text });
  }
  if (target !== undefined) return reassign(call, Number(target));
  if (storage !== undefined) return moveTo(call, storage);
  const text = "both 'storage' and 'target-vmid' missing, either needs to be set";
  return failParameters({ 'target-vmid': text, storage: text });
}

function moveTo(call: Call, storage: string): string {
  const { sim, node, user, params } = call;
  const place = placeOf(call);
  const { disk = '', format, digest } = params;
  const wish: DiskMove = { place, disk, storage, format, digest, remove: params['delete'] === '1' };
  requirePrivileges(sim, user, `/storage/${storage}`, ['Datastore.AllocateSpace']);
  checkMove(sim, wish);
  return sim.tasks.start({ type: 'qmmove', id: String(place.vmid), node, user }, task =>
    moveDisk(sim, task, wish),
  );
}

function reassign(call: Call, targetVmid: number): string {
  const { sim, node, user, params } = call;
  const { vmid } = placeOf(call);
  const { disk = '', 'target-disk': targetDisk = disk, digest, 'target-digest': targetDigest } = params;
  const wish: DiskReassignment = { node, vmid, disk, targetVmid, targetDisk, digest, targetDigest };
  if (!isRootUser(user)) requirePrivileges(sim, user, `/vms/${targetVmid}`, ['VM.Config.Disk']);
  if (vmid === targetVmid) {
    failParameters({ 'target-vmid': 'must be different than source VMID to reassign disk' });
  }
  const { drive } = checkReassignment(sim, wish);
  const { storage } = splitVolumeId(drive.file);
  requirePrivileges(sim, user, `/storage/${storage}`, ['Datastore.AllocateSpace']);
  const id = `${vmid}-${disk}>${targetVmid}-${targetDisk}`;
  return sim.tasks.start({ type: 'qmmove', id, node, user }, task =>
    reassignDisk(sim, task, wish, line => {
      const request = readConfigRequest({
        ...call,
        params: { node, vmid: String(targetVmid), [targetDisk]: line },
      });
      checkUpdate(request);
      updateConfig(request, text => task.log(text));
    }),
  );
}

/** PVE: a config write that only deletes. */
async function unlink(call: Call): Promise<null> {
  const { node, vmid = '', idlist = '', force } = call.params;
  const params = { node: node ?? call.node, vmid, delete: idlist, ...(force === undefined ? {} : { force }) };
  await updateNow(readConfigRequest({ ...call, params }));
  return null;
}
