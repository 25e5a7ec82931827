import { untouched, type ActionOf } from '../../action';
import { readDrive } from '../../guest/drive';
import { stillToDelete } from '../leaving-volumes';
import type { KeptSnapshot } from '../facts';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { volumeActions } from '../volume-actions';

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

function leavingDisks(scene: Scene): ToGo[] {
  const { current, slots } = scene;
  const named = Object.entries({ ...slots.disks, ...slots.goneDisks });
  const nameOf = (slot: string): string => named.find(([, there]) => there === slot)?.[0] ?? slot;
  const moved = volumeActions(scene).actions.flatMap((action): ToGo[] =>
    action.kind === 'move-disk' ? [toMove(action, nameOf(action.slot), readDrive(current[action.slot]))] : [],
  );
  const deleted = stillToDelete(scene).map(({ slot, file }): ToGo => {
    const name = nameOf(slot);
    return { name, file, toDo: 'be deleted', field: `disks[${name}]`, from: file };
  });
  return [...moved, ...deleted];
}

function heldDisks(scene: Scene, disks: readonly ToGo[], snapshots: readonly KeptSnapshot[]): Problem[] {
  return disks.flatMap(disk => {
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
  field: string;
  from: string | undefined;
  to?: string | undefined;
}

const STATE_FIELDS: Readonly<Record<string, string>> = { efidisk0: 'efiDisk', tpmstate0: 'tpm' };

/** The field that the move is for: the storage, or the format where the disk stays on it. */
function toMove(
  { slot, storage, format }: ActionOf<'move-disk'>,
  name: string,
  there: ReturnType<typeof readDrive>,
): ToGo {
  const volume = STATE_FIELDS[slot] ?? `disks[${name}]`;
  const place =
    storage === there.storage
      ? { field: `${volume}.format`, from: there.format, to: format }
      : { field: `${volume}.storage`, from: there.storage, to: storage };
  return { name, file: there.file, toDo: 'move', ...place };
}

function held({ name: disk, file, toDo, field, from, to }: ToGo, snapshots: string[], vmid: number): Problem {
  const names = snapshots.map(name => `'${name}'`).join(', ');
  const detail = `Disk "${disk}" (${file}) is to ${toDo}, and ${snapshots.length === 1 ? 'snapshot' : 'snapshots'} ${names} of VM ${vmid} ${snapshots.length === 1 ? 'holds' : 'hold'} it.`;
  const remedy = `Delete them first (${snapshots.map(name => `qm delsnapshot ${vmid} ${name}`).join('; ')}), or leave the disk as it is.`;
  return { field, from, to, ...untouched('disk-in-snapshot', detail, remedy) };
}
