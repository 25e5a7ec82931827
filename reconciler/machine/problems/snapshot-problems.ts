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
  return [...moved, ...deleted].flatMap(({ name, file, toDo }) => {
    const holders = snapshots.filter(({ config }) =>
      Object.values(config).some(text => readDrive(text).file === file),
    );
    return holders.length === 0
      ? []
      : [
          held(
            name,
            file,
            toDo,
            holders.map(snapshot => snapshot.name),
            scene.vmid,
          ),
        ];
  });
}

function held(disk: string, file: string, toDo: string, snapshots: string[], vmid: number): Problem {
  const names = snapshots.map(name => `'${name}'`).join(', ');
  return {
    field: `disks[${disk}]`,
    from: file,
    why: 'disk-in-snapshot',
    detail: `Disk "${disk}" (${file}) is to ${toDo}, and ${snapshots.length === 1 ? 'snapshot' : 'snapshots'} ${names} of VM ${vmid} hold it.`,
    remedy: `Delete them first (${snapshots.map(name => `qm delsnapshot ${vmid} ${name}`).join('; ')}), or leave the disk as it is.`,
    changed: 'nothing',
  };
}
