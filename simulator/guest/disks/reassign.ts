import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { trySplitVolumeId } from '../../storage/volumes/name';
import { reassignVolume, requireVolume, volumeFeature } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import type { Guest, Volume } from '../../world';
import { bootOrderOf, printBootOrder } from '../drives/boot-order';
import { checkLock, digestOf, loadGuest } from '../conf-file/load';
import { isVolumeInUse } from '../drives/detach';
import type { Drive } from '../drives/drive';
import { isCdrom, isUnusedKey, parseDrive, printDrive } from '../drives/drive';
import { lockedInTask } from '../lock';
import { writeConfig } from '../conf-file/write';

/** A wish to give a disk to another guest on the same node. */
export interface DiskReassignment {
  node: string;
  vmid: number;
  disk: string;
  targetVmid: number;
  targetDisk: string;
  digest: string | undefined;
  targetDigest: string | undefined;
}

interface ReadyReassignment {
  source: Guest;
  target: Guest;
  drive: Drive;
  volume: Volume;
}

/** What must hold before a disk can change its owner. Run before the task, and again inside it. */
export function checkReassignment(sim: Sim, wish: DiskReassignment): ReadyReassignment {
  const { vmid, disk, targetVmid, targetDisk } = wish;
  const { source, target } = loadBoth(sim, wish);
  if (source.config['template'] === '1' || target.config['template'] === '1') {
    fail("Can't move disks from or to template VMs");
  }
  checkDigestOf(source, wish.digest);
  checkDigestOf(target, wish.targetDigest);
  const line = source.config[disk] ?? fail(`Disk '${disk}' for VM '${vmid}' does not exist`);
  if (target.config[targetDisk] !== undefined) {
    fail(`Target disk key '${targetDisk}' is already in use for VM '${targetVmid}'`);
  }
  const drive = parseDrive(disk, line);
  if (isCdrom(drive, true)) fail("CD drive contents can't be moved to another VM");
  if (!trySplitVolumeId(drive.file)) fail(`Volume '${drive.file}' not managed by PVE`);
  if (isVolumeInUse(source, drive.file, disk)) fail("Can't move disk used by a snapshot to another VM");
  const volume = requireVolume(sim, wish.node, drive.file);
  if (!volumeFeature(sim, volume, 'rename'))
    fail('Storage does not support moving of this disk to another VM');
  if (source.running && !isUnusedKey(disk)) {
    fail('Cannot move disk to another VM while the source VM is running - detach first');
  }
  return { source, target, drive, volume };
}

function loadBoth(sim: Sim, { node, vmid, targetVmid }: DiskReassignment): { source: Guest; target: Guest } {
  const [from, to] = [sim.world.guests[vmid], sim.world.guests[targetVmid]];
  if (!from) fail(`could not find VM ${vmid}`);
  if (!to) fail(`could not find target VM ${targetVmid}`);
  if (from.node !== to.node) fail(`Both VMs need to be on the same node (${from.node} != ${to.node})`);
  const source = loadGuest(sim, node, vmid);
  checkLock(source);
  const target = loadGuest(sim, node, targetVmid);
  checkLock(target);
  return { source, target };
}

function checkDigestOf(guest: Guest, digest: string | undefined): void {
  if (digest === undefined || digest === '' || digest === digestOf(guest)) return;
  fail(`VM ${guest.vmid}: detected modified configuration - file changed by other user? Try again.`);
}

/** Gives the disk away inside its task. `attach` puts the line into the target's configuration, whose lock file is held. */
export function reassignDisk(
  sim: Sim,
  task: TaskContext,
  wish: DiskReassignment,
  attach: (line: string) => void,
): Promise<void> {
  const { node, vmid, disk, targetVmid, targetDisk } = wish;
  return lockedInTask(sim, task, { node, vmid }, () =>
    lockedInTask(sim, task, { node, vmid: targetVmid }, async () => {
      const { source, target, drive, volume } = checkReassignment(sim, wish);
      task.log(`reassign disk '${disk}' from VM '${vmid}' as '${targetDisk}' to VM '${targetVmid}'`);
      await task.workUsual();
      const { volid } = reassignVolume(sim, node, volume, targetVmid);
      writeConfig(sim, source, draft => leave(draft, disk, line => task.log(line)));
      if (!isUnusedKey(targetDisk)) attach(printDrive({ ...drive, key: targetDisk, file: volid }));
      else writeConfig(sim, target, draft => void (draft.config[targetDisk] = volid));
    }),
  );
}

function leave(draft: Guest, disk: string, log: (line: string) => void): void {
  const order = bootOrderOf(draft.config['boot']);
  if (order.includes(disk)) {
    log(`removing disk '${disk}' from boot order config`);
    draft.config['boot'] = printBootOrder(order.filter(device => device !== disk));
  }
  delete draft.config[disk];
  log(`removing disk '${disk}' from VM '${draft.vmid}' config`);
}
