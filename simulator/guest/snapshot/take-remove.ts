import { Failure, fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { failSnapshot, snapshotFailure } from '../../storage/volumes/snapshot-texts';
import { findVolume, freeVolume, volumeFeature } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import type { Guest, Snapshot } from '../../world';
import { requireWritable } from '../conf-file/writable';
import { checkLock, loadGuest } from '../conf-file/load';
import { addUnusedVolume } from '../drives/detach';
import type { Drive } from '../drives/drive';
import { lockedInTask } from '../lock';
import type { Place } from '../place';
import { allocateState, fillState, runningFacts, stateStorage } from '../power/saved-state';
import { configToKeep, disksOf, removeSnapshot } from './config';
import { snapshotNamed } from './view';
import { findNamed } from '../../own-keys';

/** What a snapshot shall be. */
export interface SnapshotWishes {
  name: string;
  description: string;
  /** Also the memory, when the guest runs. */
  vmstate: boolean;
}

/** Takes a snapshot inside a task: the guest is locked meanwhile, and what fails leaves no snapshot. */
export async function takeSnapshot(
  sim: Sim,
  task: TaskContext,
  place: Place,
  wishes: SnapshotWishes,
): Promise<void> {
  await lockedInTask(sim, task, place, () => prepare(sim, task, place, wishes));
  const guest = loadGuest(sim, place.node, place.vmid);
  const snapshot = snapshotNamed(guest, wishes.name);
  try {
    if (snapshot.vmstate !== undefined) await saveMemory(sim, task, guest, snapshot.vmstate);
    for (const { key, file } of disksOf(snapshot.config)) {
      task.log(`snapshotting 'drive-${key}' (${file})`);
      const volume = findVolume(sim, place.node, file) ?? fail(`volume '${file}' does not exist`);
      volume.snapshots = [...(volume.snapshots ?? []), wishes.name];
    }
    await task.workUsual(0.5);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    task.log('snapshot create failed: starting cleanup');
    discard(sim, guest, wishes.name);
    throw error;
  }
  await lockedInTask(sim, task, place, () => {
    delete snapshot.snapstate;
    delete guest.config['lock'];
    guest.config['parent'] = wishes.name;
  });
}

function prepare(sim: Sim, task: TaskContext, place: Place, wishes: SnapshotWishes): void {
  const guest = loadGuest(sim, place.node, place.vmid);
  if (guest.config['template'] === '1') fail("you can't take a snapshot if it's a template");
  checkLock(guest);
  if (findNamed(guest.snapshots, wishes.name)) fail(`snapshot name '${wishes.name}' already used`);
  if (!canSnapshot(sim, guest)) fail('snapshot feature is not available');
  requireWritable(sim, task, place);
  const { parent } = guest.config;
  guest.snapshots[wishes.name] = {
    config: { ...configToKeep(guest.config), ...(wishes.vmstate && runningFacts(guest)) },
    ...(parent === undefined ? {} : { parent }),
    snaptime: Math.floor(sim.clock.now() / 1000),
    description: wishes.description.trimEnd(),
    snapstate: 'prepare',
    ...(wishes.vmstate && guest.running
      ? { vmstate: allocateState(sim, guest, wishes.name, stateStorage(sim, guest)).volid }
      : {}),
  };
  guest.config['lock'] = 'snapshot';
}

function canSnapshot(sim: Sim, guest: Guest): boolean {
  return disksOf(guest.config).every(({ file }) => {
    const volume = findVolume(sim, guest.node, file);
    return volume !== undefined && volumeFeature(sim, volume, 'snapshot');
  });
}

async function saveMemory(sim: Sim, task: TaskContext, { node }: Guest, vmstate: string): Promise<void> {
  task.log(`saving VM state and RAM using storage '${vmstate.split(':')[0]}'`);
  await task.workUsual(0.5);
  const volume = findVolume(sim, node, vmstate) ?? fail(`volume '${vmstate}' does not exist`);
  task.log(`completed saving the VM state in 1s, saved ${fillState(sim, volume)}`);
}

/** Removes a snapshot inside a task. With force it goes even when a volume does not let it. */
export async function deleteSnapshot(
  sim: Sim,
  task: TaskContext,
  place: Place,
  { name, force }: { name: string; force: boolean },
): Promise<void> {
  await lockedInTask(sim, task, place, () => {
    const guest = loadGuest(sim, place.node, place.vmid);
    snapshotNamed(guest, name);
    checkLock(guest);
    requireWritable(sim, task, place);
    if (guest.config['template'] === '1') fail("you can't delete a snapshot if vm is a template");
    guest.config['lock'] = 'snapshot-delete';
    snapshotNamed(guest, name).snapstate = 'delete';
  });
  const guest = loadGuest(sim, place.node, place.vmid);
  await task.workUsual();
  const snapshot = snapshotNamed(guest, name);
  const drives = disksOf(snapshot.config);
  freeState(sim, guest, snapshot, force);
  for (const drive of drives) leaveVolume(sim, task, guest, { drive, name, force });
  await lockedInTask(sim, task, place, () => {
    removeSnapshot(guest, name, drives);
    delete guest.config['lock'];
  });
}

/** Frees the memory that a snapshot kept. Unless forced, the snapshot forgets it at once. */
function freeState(sim: Sim, guest: Guest, snapshot: Snapshot, force: boolean): void {
  const { vmstate } = snapshot;
  const state = vmstate === undefined ? undefined : findVolume(sim, guest.node, vmstate);
  if (state) freeVolume(sim, state);
  if (!force) delete snapshot.vmstate;
}

/**
 * Takes the snapshot out of one volume. Unless forced, the snapshot forgets the drive at once: when a later one fails,
 * the lock, the state `delete` and the drives that are left stay in the configuration (AbstractConfig.pm, recording g6).
 */
function leaveVolume(
  sim: Sim,
  task: TaskContext,
  guest: Guest,
  { drive, name, force }: { drive: Drive; name: string; force: boolean },
): void {
  const { config } = snapshotNamed(guest, name);
  const volume = findVolume(sim, guest.node, drive.file);
  if (volume?.snapshots) volume.snapshots = volume.snapshots.filter(each => each !== name);
  if (force) {
    if (!volume) task.log(snapshotFailure(sim, 'delete', drive.file, name));
    return;
  }
  if (!volume) failSnapshot(sim, 'delete', drive.file, name);
  delete config[drive.key];
  addUnusedVolume(config, drive.file);
}

/** Takes a snapshot that failed out of volumes and configuration, and the guest's lock with it. */
function discard(sim: Sim, guest: Guest, name: string): void {
  const { config } = snapshotNamed(guest, name);
  freeState(sim, guest, snapshotNamed(guest, name), false);
  for (const { file } of disksOf(config)) {
    const volume = findVolume(sim, guest.node, file);
    if (volume?.snapshots) volume.snapshots = volume.snapshots.filter(each => each !== name);
  }
  removeSnapshot(guest, name, disksOf(config));
  delete guest.config['lock'];
}
