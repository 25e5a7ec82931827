import { requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { Failure, fail, failParameters } from '../../failure';
import { contentRows } from '../../storage/content-rows';
import { freeOrReport } from '../../guest/disks/free-volume';
import { bytesTaken, storageNamed, storageOn } from '../../storage/on-node';
import { requireVolumeAccess } from '../../storage/volumes/access';
import type { VolumeName } from '../../storage/volumes/name';
import { parseVolumeName, trySplitVolumeId, volumePath } from '../../storage/volumes/name';
import { allocateVolume, tryFindVolume } from '../../storage/volumes/volumes';
import type { Storage } from '../../world';

const VOLUME = '/nodes/{node}/storage/{storage}/content/{volume}';

/** What a storage holds: list, look at, make, change, delete. */
export const storageContentHandlers: HandlerTable = {
  'GET /nodes/{node}/storage/{storage}/content': listContent,
  'POST /nodes/{node}/storage/{storage}/content': allocate,
  [`GET ${VOLUME}`]: showVolume,
  [`PUT ${VOLUME}`]: changeVolume,
  [`DELETE ${VOLUME}`]: deleteVolume,
};

function listContent(call: Call): unknown {
  const { sim, node, user, params } = call;
  const { content, vmid } = params;
  const storage = storageOn(sim, node, params['storage'] ?? '');
  return contentRows(sim, node, storage, {
    ...(content === undefined ? {} : { content }),
    ...(vmid === undefined ? {} : { vmid: Number(vmid) }),
  }).filter(row => mayRead(call, user, String(row['volid'])));
}

function mayRead({ sim }: Call, user: string, volid: string): boolean {
  try {
    sim.asked.whileListing(() => requireVolumeAccess(sim, user, volid));
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

const KIB_PER: Record<string, number> = { '': 1, M: 1024, G: 1024 ** 2 };

function allocate({ sim, node, params }: Call): string {
  const { filename: name = '', format, vmid, storage = '' } = params;
  const [, amount, unit] = /^(\d+)([MG]?)$/.exec(params['size'] ?? '') ?? [];
  const named = /\.(raw|qcow2|vmdk)$/.exec(name)?.[1];
  if (named !== undefined && format !== undefined && format !== named) {
    failParameters({ format: `different storage formats (${format} != ${named})` });
  }
  const chosen = named ?? format;
  return allocateVolume(sim, {
    storage,
    node,
    vmid: Number(vmid),
    // PVE: an empty name is none: the next free one is taken
    ...(name === '' ? {} : { name }),
    size: Number(amount) * (KIB_PER[unit ?? ''] ?? 1) * 1024,
    ...(chosen === undefined ? {} : { format: chosen }),
  }).volid;
}

/** The volume that a path names, with or without its storage in front. */
function named({ sim, params }: Call): { volid: string; storage: Storage; name: VolumeName } {
  const id = params['storage'] ?? '';
  const text = params['volume'] ?? '';
  const split = text.includes(':') ? trySplitVolumeId(text) : { storage: id, rest: text };
  if (!split) failParameters({ volume: `unable to parse volume ID '${text}'\n` });
  if (split.storage !== id) {
    failParameters({ volume: `storage ID mismatch (${split.storage} != ${id})\n` });
  }
  const storage = storageNamed(sim, id);
  return { volid: `${id}:${split.rest}`, storage, name: parseVolumeName(storage, split.rest) };
}

function showVolume(call: Call): unknown {
  const { sim, node, user } = call;
  const { volid, storage, name } = named(call);
  requireVolumeAccess(sim, user, volid);
  const volume = tryFindVolume(sim, node, volid) ?? fail(`volume_size_info on '${volid}' failed - no format`);
  const backup = volume.content === 'backup';
  return {
    path: volumePath(storage, name),
    size: volume.size,
    used: bytesTaken(volume),
    format: name.format,
    ...(backup && volume.notes !== undefined ? { notes: volume.notes } : {}),
    ...(backup ? { protected: Number(volume.protected ?? false) } : {}),
  };
}

function changeVolume(call: Call): null {
  const { sim, node, user, params } = call;
  const { volid, name } = named(call);
  requireVolumeAccess(sim, user, volid);
  const wanted = ['notes', 'protected'].filter(attribute => params[attribute] !== undefined);
  const [first] = wanted;
  // pve-storage, PVE::Storage::DirPlugin as read: notes have words of their own
  if (first === 'notes' && name.content !== 'backup') fail('only backups can have notes');
  if (first !== undefined && name.content !== 'backup') fail(`only backups support attribute '${first}'`);
  const volume = tryFindVolume(sim, node, volid);
  if (!volume) return null;
  if (params['notes'] !== undefined) volume.notes = params['notes'];
  if (params['protected'] !== undefined) volume.protected = params['protected'] === '1';
  return null;
}

async function deleteVolume(call: Call): Promise<string | null> {
  const { sim, node, user, params } = call;
  const { volid, storage, name } = named(call);
  const path = `/storage/${storage.storage}`;
  if (name.content === 'backup' && name.vmid !== undefined) {
    requirePrivileges(sim, user, path, ['Datastore.AllocateSpace']);
    requirePrivileges(sim, user, `/vms/${name.vmid}`, ['VM.Backup']);
  } else {
    requirePrivileges(sim, user, path, ['Datastore.Allocate']);
  }
  const id = name.vmid === undefined ? storage.storage : `${name.vmid}@${storage.storage}`;
  const upid = sim.tasks.start({ type: 'imgdel', id, node, user }, async task => {
    await task.workUsual();
    freeOrReport(sim, node, volid, line => task.log(line));
    task.log(`Removed volume '${volid}'`);
  });
  const delay = Number(params['delay'] ?? 0);
  return delay > 0 ? endedWithin(call, upid, delay) : upid;
}

/** Nothing when the task ends well in time, its id when it takes longer. Fails with it. */
async function endedWithin({ sim }: Call, upid: string, seconds: number): Promise<string | null> {
  await Promise.race([sim.tasks.ended(upid), sim.clock.sleep(seconds * 1000)]);
  const task = sim.tasks.find(upid);
  if (task?.exitstatus === undefined) return upid;
  if (task.exitstatus === 'OK' || task.exitstatus.startsWith('WARNINGS: ')) return null;
  return fail(task.exitstatus);
}
