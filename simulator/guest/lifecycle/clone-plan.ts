import { isRootUser, requirePrivileges } from '../../access/privileges';
import { deny, fail, failParameters } from '../../failure';
import { needQuorum } from '../../cluster/quorum';
import type { Sim } from '../../cluster/sim';
import { contentOf, storageNamed, storageOn } from '../../storage/on-node';
import { trySplitVolumeId } from '../../storage/volumes/name';
import { findVolume, volumeFeature } from '../../storage/volumes/volumes';
import type { Config, Guest } from '../../world';
import { checkLock, loadGuest } from '../conf-file/load';
import type { Drive } from '../drives/drive';
import { drivesOf, isCdrom, isCloudInit, isDriveKey, isUnusedKey } from '../drives/drive';
import { requireBridges } from '../keys/net';
import type { Place } from '../place';
import { findNamed } from '../../own-keys';

/** What a clone shall be. */
export interface CloneWishes {
  newid: number;
  name?: string | undefined;
  description?: string | undefined;
  pool?: string | undefined;
  snapname?: string | undefined;
  storage?: string | undefined;
  format?: string | undefined;
  /** Another node, for a guest whose volumes are all shared. */
  target?: string | undefined;
  /** Absent: full, and linked for a template. */
  full?: boolean | undefined;
  /** KiB a second; 0: no limit. */
  bwlimit: number;
}

/** What the checks found: the configuration to copy, and the drives that need a volume of their own. */
export interface ClonePlan {
  source: Guest;
  /** The guest's configuration, or that of the snapshot. */
  config: Config;
  drives: { drive: Drive; full: boolean }[];
}

/** Finds out what a clone copies. Runs before the task and again inside it; fails with Proxmox's texts, in its order. */
export function planClone(
  sim: Sim,
  user: string,
  place: Place,
  wishes: CloneWishes,
  wasRunning: boolean,
): ClonePlan {
  const { pool, target, snapname } = wishes;
  if (pool !== undefined && !findNamed(sim.world.pools, pool)) deny(`pool '${pool}' does not exist`);
  if (target !== undefined && !sim.world.nodes.some(({ name }) => name === target)) {
    fail(`no such cluster node '${target}'`);
  }
  checkStorage(sim, place.node, wishes);
  needQuorum(sim.world);
  const source = loadGuest(sim, place.node, place.vmid);
  checkLock(source);
  if ((source.running !== null) !== wasRunning) fail('unexpected state change');
  const config = snapname === undefined ? source.config : snapshotConfig(source, snapname);
  const full = wishes.full ?? source.config['template'] !== '1';
  for (const name of ['storage', 'format'] as const) {
    if (wishes[name] !== undefined && !full) fail(`parameter '${name}' not allowed for linked clones`);
  }
  const shared = checkAccess(sim, user, config, wishes.storage);
  requireBridges(sim, user, config);
  if (target !== undefined && !shared) fail(`can't clone VM to node '${target}' (VM uses local storage)`);
  const there = sim.world.guests[wishes.newid];
  if (there?.type === 'qemu' && there.node === place.node) {
    fail(`unable to create VM ${wishes.newid}: config file already exists`);
  }
  return { source, config, drives: drivesToCopy(sim, source, config, full, snapname) };
}

function checkStorage(sim: Sim, node: string, { storage, target }: CloneWishes): void {
  if (storage === undefined) return;
  const definition = storageOn(sim, node, storage);
  if (!contentOf(definition).includes('images')) {
    failParameters({ storage: `storage '${storage}' does not support vm images` });
  }
  if (target === undefined) return;
  storageOn(sim, target, storage);
  if (!definition.shared) fail(`can't clone to non-shared storage '${storage}'`);
}

function snapshotConfig({ snapshots }: Guest, snapname: string): Config {
  const snapshot = findNamed(snapshots, snapname) ?? fail(`snapshot '${snapname}' does not exist`);
  const { config, description } = snapshot;
  // a snapshot's comment stands where a guest has its description, and is copied like one
  return description === '' ? config : { ...config, description };
}

/** Fails unless the user may fill the storages. True when all volumes are shared. */
function checkAccess(sim: Sim, user: string, config: Config, storage: string | undefined): boolean {
  let shared = true;
  for (const drive of drivesOf(config)) {
    if (drive.file === 'none' || drive.file === '') continue;
    if (drive.file === 'cdrom') {
      requirePrivileges(sim, user, '/', ['Sys.Console']);
      continue;
    }
    const id = trySplitVolumeId(drive.file)?.storage;
    if (id === undefined) continue;
    shared &&= storageNamed(sim, id).shared;
    if (isCdrom(drive) || isRootUser(user)) continue;
    requirePrivileges(sim, user, `/storage/${storage ?? id}`, ['Datastore.AllocateSpace']);
  }
  return shared;
}

function drivesToCopy(
  sim: Sim,
  source: Guest,
  config: Config,
  full: boolean,
  snapname: string | undefined,
): ClonePlan['drives'] {
  const running = source.running !== null;
  return drivesOf(config)
    .filter(drive => !isCdrom(drive, true))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(drive => {
      if (drive.key === 'tpmstate0' && full && running && snapname === undefined) {
        fail('cannot clone TPM state while VM is running');
      }
      const copied = full || isCloudInit(drive) || drive.key === 'tpmstate0';
      const volume = findVolume(sim, source.node, drive.file);
      if (volume && !volumeFeature(sim, volume, copied ? 'copy' : 'clone', snapname)) {
        const of = snapname === undefined ? '' : ' a snapshot of';
        const kind = copied ? 'Full' : 'Linked';
        fail(`${kind} clone feature is not supported for${of} '${drive.file}' (${drive.key})`);
      }
      return { drive, full: copied };
    });
}

const NOT_COPIED = new Set([
  'parent',
  'snaptime',
  'vmstate',
  'snapstate',
  'runningcpu',
  'runningmachine',
  'running-nets-host-mtu',
  'template',
  'lock',
]);

/** Whether a clone takes the key over as it is; drives that get a volume of their own come later. */
export function isCopiedKey(key: string, plan: ClonePlan): boolean {
  if (NOT_COPIED.has(key) || isUnusedKey(key)) return false;
  return !(isDriveKey(key) && plan.drives.some(({ drive }) => drive.key === key));
}
