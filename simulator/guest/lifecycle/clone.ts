import { Failure, fail } from '../../failure';
import { guestLock } from '../../cluster/lock-files';
import { parsePropertyString, printPropertyString } from '../../schema/property-string';
import { hasQuorum } from '../../cluster/quorum';
import type { Sim } from '../../cluster/sim';
import { findVolume, freeVolume, requireVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import { INTERRUPTED } from '../../tasks/tasks';
import type { Config, Guest } from '../../world';
import { cloneDrive, type DriveCopy } from '../drives/copy';
import { copyData } from '../drives/copy-time';
import type { ClonePlan, CloneWishes } from './clone-plan';
import { isCopiedKey, planClone } from './clone-plan';
import { requireWritable } from '../conf-file/writable';
import { configFormat } from '../keys/schema';
import type { Drive } from '../drives/drive';
import { isCloudInit, printDrive } from '../drives/drive';
import { noFreezeWhy } from '../agent/freeze';
import { isNetKey, newMac, parseNet } from '../keys/net';
import type { Place } from '../place';
import { enterPool } from '../../access/change-members';

/** How long Proxmox waits for the lock files of a clone's source and target. */
const CLONE_LOCK_MS = 1000;

// shares of the task's usual time; the rest goes to the drives
const BEFORE_CONF = 0.1;
const BEFORE_DRIVES = 0.2;

interface Clone {
  sim: Sim;
  task: TaskContext;
  user: string;
  place: Place;
  wishes: CloneWishes;
  wasRunning: boolean;
}

/** Copies a guest inside a task. Several clones may copy one source that is off; a clone that fails leaves nothing behind. */
export async function cloneGuest(clone: Clone): Promise<void> {
  const { sim, place, wishes, wasRunning } = clone;
  const source = guestLock(place.node, place.vmid);
  const target = guestLock(place.node, wishes.newid);
  const copy = (): Promise<void> => sim.flocks.hold(target, CLONE_LOCK_MS, () => copyGuest(clone));
  if (wasRunning) await sim.flocks.hold(source, CLONE_LOCK_MS, copy);
  else await sim.flocks.holdShared(source, CLONE_LOCK_MS, copy);
}

async function copyGuest(clone: Clone): Promise<void> {
  const { sim, task, user, place, wishes, wasRunning } = clone;
  // the locks are taken at once, the configuration comes a little later: who asks in between finds the id free
  await task.workUsual(BEFORE_CONF);
  const plan = planClone(sim, user, place, wishes, wasRunning);
  task.log(`creating a clone of VM ${place.vmid} with ID ${wishes.newid}`);
  const config = newConfig(sim, plan, wishes);
  const guest = placeholder(sim, plan.source, place.node, wishes.newid);
  const made: string[] = [];
  try {
    await task.workUsual(BEFORE_DRIVES);
    // PVE: all volumes are activated before the first is copied (recording g6, step 26)
    for (const { drive } of plan.drives) requireVolume(sim, place.node, drive.file);
    const writeConf = (): void => requireWritable(sim, task, { node: place.node, vmid: wishes.newid });
    await copyDrives(clone, plan, drive => {
      made.push(drive.file);
      config[drive.key] = printDrive(drive);
      writeConf();
      guest.config = { ...config, lock: 'clone' };
    });
    writeConf();
    finish(sim, task, plan, guest, config, wishes);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const volid of made) freeIfPossible(sim, task, place.node, volid);
    // PVE: without a quorum the configuration cannot be removed: half a machine stays, with its lock (behaviour.md §1)
    if (hasQuorum(sim.world)) {
      delete sim.world.firewall[wishes.newid];
      delete sim.world.guests[wishes.newid];
    }
    // PVE: a clone has words of its own for a stop
    fail(`clone failed: ${error.message === INTERRUPTED ? 'interrupted by signal' : error.message}`);
  }
}

/** Frees a volume; what cannot be freed is only a line in the log. */
function freeIfPossible(sim: Sim, task: TaskContext, node: string, volid: string): void {
  try {
    const volume = findVolume(sim, node, volid);
    if (volume) freeVolume(sim, volume);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    task.log(error.message);
  }
}

/** The clone's configuration without its drives: everything of the source, but an identity of its own. */
function newConfig(sim: Sim, plan: ClonePlan, { name, description }: CloneWishes): Config {
  const { config, source } = plan;
  const copied = Object.entries(config).filter(([key]) => isCopiedKey(key, plan));
  const smbios = parsePropertyString(configFormat('smbios1') ?? '', config['smbios1'] ?? '');
  return {
    ...Object.fromEntries(
      copied.map(([key, value]) => [key, isNetKey(key) ? withNewMac(sim, key, value) : value]),
    ),
    smbios1: printPropertyString(configFormat('smbios1') ?? '', { ...smbios, uuid: sim.random.uuid() }),
    ...(config['vmgenid'] !== undefined && { vmgenid: sim.random.uuid() }),
    name: name ? name : `Copy-of-VM-${config['name'] ?? source.vmid}`,
    // PVE: an empty description is none, the source's stays (recording 41, step 13)
    ...(description?.trimEnd() ? { description: description.trimEnd() } : {}),
  };
}

function withNewMac(sim: Sim, key: string, value: string): string {
  return printPropertyString(configFormat(key) ?? '', { ...parseNet(value), macaddr: newMac(sim) });
}

/** Puts the empty configuration that reserves the id. Fails as the cluster file system does when the id is taken. */
function placeholder(sim: Sim, source: Guest, node: string, vmid: number): Guest {
  if (sim.world.guests[vmid]) {
    fail(`close (rename) atomic file '/etc/pve/nodes/${node}/qemu-server/${vmid}.conf' failed: File exists`);
  }
  const guest: Guest = {
    vmid,
    type: 'qemu',
    node,
    config: { lock: 'clone', description: ' qmclone temporary file' },
    pending: {},
    pendingDelete: {},
    snapshots: {},
    running: null,
    system: structuredClone(source.system),
    cloudInitImage: null,
  };
  sim.world.guests[vmid] = guest;
  const firewall = sim.world.firewall[source.vmid];
  if (firewall) sim.world.firewall[vmid] = structuredClone(firewall);
  return guest;
}

async function copyDrives(
  clone: Clone,
  { source, drives }: ClonePlan,
  done: (drive: Drive) => void,
): Promise<void> {
  const { sim, task, place, wishes, wasRunning } = clone;
  const { newid, storage, format, snapname } = wishes;
  for (const { drive, full } of drives) {
    const copy: DriveCopy = {
      node: place.node,
      source: drive,
      sourceVmid: place.vmid,
      running: wasRunning,
      ...(snapname === undefined ? {} : { snapname }),
      target: {
        vmid: newid,
        key: drive.key,
        ...(storage === undefined ? {} : { storage }),
        ...(format === undefined ? {} : { format }),
      },
      full,
      log: line => task.log(line),
    };
    const made = cloneDrive(sim, copy);
    await copying(clone, copy, made, 0.7 / drives.length);
    done(made);
  }
  const mirrored = drives.some(({ drive, full }) => full && !isCloudInit(drive));
  if (wasRunning && snapname === undefined && mirrored) standStill(clone, source);
}

/** What keeps the disks of a running guest still when their copies end (recording h5, step 20). */
function standStill({ sim, task }: Clone, source: Guest): void {
  const why = noFreezeWhy(sim, source);
  if (why === undefined) {
    task.log('freeze filesystem');
    task.log('unfreeze filesystem');
    return;
  }
  task.log(`skipping guest filesystem freeze - ${why}`);
  task.log('suspend vm');
  task.log('resume vm');
}

/** Takes the time that the data of one drive needs. An interrupt on the way frees what was made. */
async function copying(
  { sim, task, wishes: { bwlimit } }: Clone,
  copy: DriveCopy,
  made: Drive,
  share: number,
): Promise<void> {
  const volume = findVolume(sim, copy.node, made.file);
  const isLimited = copy.full && bwlimit > 0 && !isCloudInit(made);
  const ms = isLimited ? ((volume?.size ?? 0) / (bwlimit * 1024)) * 1000 : task.usualMs * share;
  try {
    await copyData(sim, task, copy, made, ms);
  } catch (error) {
    if (volume) freeVolume(sim, volume);
    throw error;
  }
}

function finish(
  sim: Sim,
  task: TaskContext,
  { source }: ClonePlan,
  guest: Guest,
  config: Config,
  { target, pool, newid, snapname }: CloneWishes,
): void {
  const waiting = Object.keys({ ...source.pending, ...source.pendingDelete });
  if (waiting.length > 0 && snapname === undefined) {
    task.log(`found pending changes for '${waiting.join(',')}', discarding for clone`);
  }
  guest.config = config;
  if (target !== undefined) guest.node = target;
  enterPool(sim.world, pool, newid);
}
