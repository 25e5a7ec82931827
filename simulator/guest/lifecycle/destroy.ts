import { Failure, fail } from '../../failure';
import { haResourceOf } from '../../ha/guest-in-ha';
import { leaveRules } from '../../ha/rule';
import { leaveJobs, refuseReplicated } from '../../cluster/guest-jobs';
import type { Sim } from '../../cluster/sim';
import { pluginOf } from '../../storage/plugins';
import { storageNamed } from '../../storage/on-node';
import { parseVolumeName, splitVolumeId, volumePath } from '../../storage/volumes/name';
import { findVolume, freeVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import type { Config, Guest } from '../../world';
import { requireWritable } from '../conf-file/writable';
import { checkLock, loadGuest } from '../conf-file/load';
import { drivesOf, isCdrom, unusedOf } from '../drives/drive';
import { lockedInTask } from '../lock';
import type { Place } from '../place';
import { ownsVolume } from '../drives/detach';

/** What goes beyond the guest and its own disks. */
export interface DestroyWishes {
  /** Also out of HA and backup jobs. */
  purge: boolean;
  /** Also the volumes that carry the guest's id and that nothing names. */
  unreferenced: boolean;
  skiplock: boolean;
}

/** Fails when the guest may not be destroyed now: no guest, protected, in HA or replicated without purge, running. */
export function checkDestroy(sim: Sim, { node, vmid }: Place, purge: boolean): Guest {
  const guest = loadGuest(sim, node, vmid);
  if (guest.config['protection'] === '1') fail(`can't remove VM ${vmid} - protection mode enabled`);
  if (!purge && haResourceOf(sim, vmid)) {
    fail(`unable to remove VM ${vmid} - used in HA resources and purge parameter not set.`);
  }
  if (!purge) refuseReplicated(sim.world, vmid);
  if (guest.running) fail(`VM ${vmid} is running - destroy failed`);
  return guest;
}

/** Destroys a guest with its disks inside a task, after taking its lock file. Without quorum only the disks go. */
export function destroyGuest(
  sim: Sim,
  task: TaskContext,
  place: Place,
  wishes: DestroyWishes,
): Promise<void> {
  return lockedInTask(sim, task, place, async () => {
    const guest = checkDestroy(sim, place, wishes.purge);
    if (!wishes.skiplock && guest.config['lock'] !== 'suspended') checkLock(guest);
    if (guest.config['template'] === '1') checkBases(sim, guest);
    await task.workUsual();
    for (const volid of ownVolumes(sim, guest)) remove(sim, task, place.node, volid);
    if (wishes.unreferenced) removeUnreferenced(sim, task, guest);
    requireWritable(sim, task, place);
    forget(sim, guest);
    if (wishes.purge) purge(sim, task, place.vmid);
  });
}

/** Fails while linked clones stand on a volume of the template. */
function checkBases(sim: Sim, { config }: Guest): void {
  for (const { file } of [...drivesOf(config), ...unusedOf(config)]) {
    if (sim.world.volumes.some(({ parent }) => parent === file)) {
      fail(`base volume '${file}' is still in use by linked cloned`);
    }
  }
}

/** The volumes that the configuration, its pending changes and its saved states name and that are the guest's own. */
function ownVolumes(sim: Sim, { vmid, config, pending, snapshots }: Guest): Set<string> {
  const disks = (values: Config): string[] =>
    [...drivesOf(values), ...unusedOf(values)].filter(drive => !isCdrom(drive, true)).map(({ file }) => file);
  const states = [config['vmstate'], ...Object.values(snapshots).map(({ vmstate }) => vmstate)];
  const all = [...disks(config), ...states.flatMap(state => state ?? []), ...disks(pending)];
  return new Set(all.filter(volid => volid !== '' && ownsVolume(sim, vmid, volid)));
}

/** Frees one volume. What cannot be freed is a warning; a file that is gone already is only a line. */
function remove(sim: Sim, task: TaskContext, node: string, volid: string): void {
  const trouble = (why: string): void =>
    task.warn(`Could not remove disk '${volid}', check manually: ${why}`);
  try {
    const volume = findVolume(sim, node, volid);
    if (volume) freeVolume(sim, volume);
    else missing(sim, task, volid, trouble);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    trouble(error.message);
  }
}

function missing(sim: Sim, task: TaskContext, volid: string, trouble: (why: string) => void): void {
  const { storage: id, rest } = splitVolumeId(volid);
  const storage = storageNamed(sim, id);
  const path = volumePath(storage, parseVolumeName(storage, rest));
  // recording 23, step 25
  if (pluginOf(storage.type).naming === 'file') task.log(`disk image '${path}' does not exist`);
  else trouble(`no such volume '${rest}'`);
}

function removeUnreferenced(sim: Sim, task: TaskContext, { node, vmid }: Guest): void {
  const left = sim.world.volumes.filter(
    volume =>
      volume.vmid === vmid && volume.content === 'images' && (volume.node === node || volume.node === null),
  );
  for (const { volid } of left) remove(sim, task, node, volid);
}

/** Takes the guest out of the world, with its rights, its pool and its firewall. */
function forget(sim: Sim, { vmid }: Guest): void {
  const { world } = sim;
  delete world.guests[vmid];
  delete world.firewall[vmid];
  world.access.acl = world.access.acl.filter(({ path }) => path !== `/vms/${vmid}`);
  for (const pool of Object.values(world.pools)) pool.vms = pool.vms.filter(member => member !== vmid);
}

function purge(sim: Sim, task: TaskContext, vmid: number): void {
  task.log(`purging VM ${vmid} from related configurations..`);
  leaveJobs(sim.world, vmid);
  const resource = haResourceOf(sim, vmid);
  if (!resource) return;
  delete sim.world.ha.resources[resource.sid];
  leaveRules(sim.world, resource.sid);
  task.log(`NOTE: removed VM ${vmid} from HA resource configuration.`);
}
