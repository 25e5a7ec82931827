import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { trySplitVolumeId } from '../../storage/volumes/name';
import { findVolume, toBase, volumeFeature } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import type { Guest } from '../../world';
import { requireWritable } from '../conf-file/writable';
import { checkLock, loadGuest } from '../conf-file/load';
import { drivesOf, isCdrom, printDrive } from '../drives/drive';
import { lockedInTask } from '../lock';
import type { Place } from '../place';

/** Fails when the guest cannot become a template; with `disk` a template may have one more disk converted. */
export function checkTemplate(sim: Sim, { node, vmid }: Place, disk: string | undefined): Guest {
  const guest = loadGuest(sim, node, vmid);
  checkLock(guest);
  if (Object.keys(guest.snapshots).length > 0) {
    fail('unable to create template, because VM contains snapshots');
  }
  if (guest.config['template'] === '1' && disk === undefined) {
    fail("you can't convert a template to a template");
  }
  if (guest.running) fail("you can't convert a VM to template if VM is running");
  return guest;
}

/** Makes a guest a template inside a task: its disks become bases. There is no way back. */
export function makeTemplate(
  sim: Sim,
  task: TaskContext,
  place: Place,
  disk: string | undefined,
): Promise<void> {
  return lockedInTask(sim, task, place, async () => {
    const guest = checkTemplate(sim, place, disk);
    requireWritable(sim, task, place);
    guest.config['template'] = '1';
    await task.workUsual();
    for (const drive of drivesOf(guest.config)) {
      if (isCdrom(drive) || (disk !== undefined && drive.key !== disk) || !trySplitVolumeId(drive.file))
        continue;
      const volume = findVolume(sim, guest.node, drive.file);
      if (!volume || !volumeFeature(sim, volume, 'template')) continue;
      guest.config[drive.key] = printDrive({ ...drive, file: toBase(sim, volume).volid });
    }
  });
}
