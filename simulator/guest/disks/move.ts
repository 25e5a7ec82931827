import { Failure, fail, failParameters } from '../../failure';
import { checkUnmodified } from '../../cluster/section-change';
import type { Sim } from '../../cluster/sim';
import { freeOrReport } from './free-volume';
import { contentOf, storageNamed, storageOn } from '../../storage/on-node';
import { parseVolumeName, splitVolumeId } from '../../storage/volumes/name';
import { freeVolume, requireVolume, toBase, tryFindVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import { INTERRUPTED } from '../../tasks/tasks';
import type { Guest } from '../../world';
import { cloneDrive, type DriveCopy } from '../drives/copy';
import { copyData } from '../drives/copy-time';
import { checkLock, digestOf, loadGuest } from '../conf-file/load';
import { addUnusedVolume, isVolumeInUse } from '../drives/detach';
import type { Drive } from '../drives/drive';
import { isCdrom, parseDrive, printDrive } from '../drives/drive';
import { lockedInTask } from '../lock';
import type { Place } from '../place';
import { writeConfig } from '../conf-file/write';

/** A wish to put a disk on another storage, or into another format. */
export interface DiskMove {
  place: Place;
  disk: string;
  storage: string;
  format: string | undefined;
  /** Remove the source when the copy stands; else it becomes unused. */
  remove: boolean;
  digest: string | undefined;
}

interface ReadyMove {
  guest: Guest;
  drive: Drive;
  snapshotted: boolean;
}

/** What must hold before a disk can move. Run before the task, and again inside it. */
export function checkMove(sim: Sim, move: DiskMove): ReadyMove {
  const guest = loadGuest(sim, move.place.node, move.place.vmid);
  checkLock(guest);
  // the words are not those of a config write
  checkUnmodified(move.digest, digestOf(guest));
  const line = guest.config[move.disk] ?? fail(`disk '${move.disk}' does not exist`);
  const drive = parseDrive(move.disk, line);
  if (isCdrom(drive, true)) fail("you can't move a cdrom");
  const { storage, rest } = splitVolumeId(drive.file);
  const { format } = parseVolumeName(storageNamed(sim, storage), rest);
  if (storage === move.storage && (move.format ?? format) === format) {
    fail("you can't move to the same storage with same format");
  }
  const target = storageOn(sim, move.place.node, move.storage);
  if (!contentOf(target).includes('images')) {
    failParameters({ storage: `storage '${move.storage}' does not support vm images` });
  }
  const snapshotted = isVolumeInUse(guest, drive.file, move.disk);
  if (snapshotted && move.remove) fail("you can't move a disk with snapshots and delete the source");
  return { guest, drive, snapshotted };
}

/** Moves a disk inside its task. When it fails or is stopped, the copy is gone and the guest is as before. */
export function moveDisk(sim: Sim, task: TaskContext, move: DiskMove): Promise<void> {
  return lockedInTask(sim, task, move.place, async () => {
    const { guest, drive, snapshotted } = checkMove(sim, move);
    const source = splitVolumeId(drive.file).storage;
    task.log(
      `copying volume '${drive.file}' from current storage '${source}' to target storage '${move.storage}'`,
    );
    requireVolume(sim, guest.node, drive.file);
    const made: string[] = [];
    try {
      if (snapshotted) task.log('moving disk with snapshots, snapshots will not be moved!');
      await copyAndWrite(sim, task, move, guest, drive, made);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const volid of made) {
        const copy = tryFindVolume(sim, guest.node, volid);
        if (copy) freeVolume(sim, copy);
      }
      // PVE: a move has words of its own for a stop
      fail(
        `storage migration failed: ${error.message === INTERRUPTED ? 'interrupted by signal' : error.message}`,
      );
    }
    if (move.remove) removeSource(sim, task, guest, drive.file);
  });
}

async function copyAndWrite(
  sim: Sim,
  task: TaskContext,
  { storage, format, remove }: DiskMove,
  guest: Guest,
  drive: Drive,
  made: string[],
): Promise<void> {
  const { node, vmid } = guest;
  // assumed: qemu does not know unused disks, they are copied as files
  const running = guest.running !== null && !drive.key.startsWith('unused');
  const wanted: DriveCopy = {
    node,
    source: drive,
    sourceVmid: vmid,
    running,
    target: { vmid, key: drive.key, storage, ...(format === undefined ? {} : { format }) },
    full: true,
    log: line => task.log(line),
  };
  const copy = cloneDrive(sim, wanted);
  made.push(copy.file);
  await copyData(sim, task, wanted, copy, task.usualMs);
  if (guest.config['template'] === '1') copy.file = toBase(sim, requireVolume(sim, node, copy.file)).volid;
  made.splice(0, 1, copy.file);
  writeConfig(sim, guest, draft => {
    draft.config[drive.key] = drive.key.startsWith('unused') ? copy.file : printDrive(copy);
    if (remove) return;
    const key = addUnusedVolume(draft.config, drive.file);
    if (key !== undefined) task.log(`adding source volume '${drive.file}' as '${key}' to config`);
  });
}

/** PVE: a source that cannot be removed is only complained about. */
function removeSource(sim: Sim, task: TaskContext, { node }: Guest, volid: string): void {
  task.log(`removing source volume '${volid}' after successful copy`);
  try {
    freeOrReport(sim, node, volid, line => task.log(line));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    task.log(error.message);
  }
}
