import { untouched } from '../../action';
import { readDrive } from '../../guest/drive';
import type { KeptSnapshot } from '../facts';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { leavingDisks, type LeavingDisk } from './leaving-disks';

/** Disks that are to move or to be deleted while a snapshot holds them: Proxmox does neither (recording g6). */
export function snapshotProblems(scene: Scene): Problem[] {
  const leaving = leavingDisks(scene);
  if (leaving.length === 0) return [];
  return heldDisks(scene, leaving, scene.context.facts.ask('snapshotConfigs') ?? []);
}

/** The same, were there only this snapshot of the guest. */
export function heldByOne(scene: Scene, snapshot: KeptSnapshot): Problem[] {
  return heldDisks(scene, leavingDisks(scene), [snapshot]);
}

function heldDisks(
  scene: Scene,
  disks: readonly LeavingDisk[],
  snapshots: readonly KeptSnapshot[],
): Problem[] {
  return disks.flatMap(disk => {
    const holders = snapshots.filter(({ config }) =>
      Object.values(config).some(text => readDrive(text).file === disk.file),
    );
    const names = holders.map(({ name }) => name);
    return names.length === 0 ? [] : [held(disk, names, scene.vmid)];
  });
}

function held(
  { name: disk, file, toDo, field, from, to }: LeavingDisk,
  snapshots: string[],
  vmid: number,
): Problem {
  const names = snapshots.map(name => `'${name}'`).join(', ');
  const detail = `Disk "${disk}" (${file}) is to ${toDo}, and ${snapshots.length === 1 ? 'snapshot' : 'snapshots'} ${names} of VM ${vmid} ${snapshots.length === 1 ? 'holds' : 'hold'} it.`;
  const remedy = `Delete them first (${snapshots.map(name => `qm delsnapshot ${vmid} ${name}`).join('; ')}), or leave the disk as it is.`;
  return { field, from, to, ...untouched('disk-in-snapshot', detail, remedy) };
}
