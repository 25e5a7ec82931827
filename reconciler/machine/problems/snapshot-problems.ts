import { untouched } from '../../action';
import { readDrive } from '../../guest/drive';
import { stillToDelete } from '../leaving-volumes';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { volumeActions } from '../volume-actions';

/** Disks that are to move or to be deleted while a snapshot holds them: Proxmox does neither (recording g6). */
export function snapshotProblems(scene: Scene): Problem[] {
  const { current, slots, context } = scene;
  const { snapshots = [] } = context.facts ?? {};
  if (snapshots.length === 0) return [];
  const nameOf = (slot: string): string =>
    Object.entries({ ...slots.disks, ...slots.goneDisks }).find(([, there]) => there === slot)?.[0] ?? slot;
  const moved = volumeActions(scene).actions.flatMap(action =>
    action.kind === 'move-disk'
      ? [{ name: nameOf(action.slot), file: readDrive(current[action.slot]).file, toDo: 'move' }]
      : [],
  );
  const deleted = stillToDelete(scene).map(({ slot, file }) => ({
    name: nameOf(slot),
    file,
    toDo: 'be deleted',
  }));
  return [...moved, ...deleted].flatMap(disk => {
    const holders = snapshots.filter(({ config }) =>
      Object.values(config).some(text => readDrive(text).file === disk.file),
    );
    const names = holders.map(({ name }) => name);
    return names.length === 0 ? [] : [held(disk, names, scene.vmid)];
  });
}

interface ToGo {
  name: string;
  file: string;
  toDo: string;
}

function held({ name: disk, file, toDo }: ToGo, snapshots: string[], vmid: number): Problem {
  const names = snapshots.map(name => `'${name}'`).join(', ');
  const detail = `Disk "${disk}" (${file}) is to ${toDo}, and ${snapshots.length === 1 ? 'snapshot' : 'snapshots'} ${names} of VM ${vmid} hold it.`;
  const remedy = `Delete them first (${snapshots.map(name => `qm delsnapshot ${vmid} ${name}`).join('; ')}), or leave the disk as it is.`;
  return { field: `disks[${disk}]`, from: file, ...untouched('disk-in-snapshot', detail, remedy) };
}
