import type { ActionOf } from '../../action';
import { readDrive } from '../../guest/drive';
import { stillToDelete } from '../leaving-volumes';
import type { Scene } from '../scene';
import { volumeActions } from '../resize-and-move';

/** A volume that goes from where it is, and the field that asks for it. */
export interface LeavingDisk {
  name: string;
  slot: string;
  file: string;
  toDo: string;
  field: string;
  from: string | undefined;
  to?: string | undefined;
}

/** The volumes that go from where they are: moved, or deleted. */
export function leavingDisks(scene: Scene): LeavingDisk[] {
  const { running, slots } = scene;
  const named = Object.entries({ ...slots.disks, ...slots.goneDisks });
  const nameOf = (slot: string): string => named.find(([, there]) => there === slot)?.[0] ?? slot;
  const moved = volumeActions(scene).actions.flatMap((action): LeavingDisk[] =>
    action.kind === 'move-disk' ? [toMove(action, nameOf(action.slot), readDrive(running[action.slot]))] : [],
  );
  const deleted = stillToDelete(scene).map(({ slot, file }): LeavingDisk => {
    const name = nameOf(slot);
    return { name, slot, file, toDo: 'be deleted', field: `disks[${name}]`, from: file };
  });
  return [...moved, ...deleted];
}

const STATE_FIELDS: Readonly<Record<string, string>> = { efidisk0: 'efiDisk', tpmstate0: 'tpm' };

/** The field that the move is for: the storage, or the format where the disk stays on it. */
function toMove(
  { slot, storage, format }: ActionOf<'move-disk'>,
  name: string,
  there: ReturnType<typeof readDrive>,
): LeavingDisk {
  const volume = STATE_FIELDS[slot] ?? `disks[${name}]`;
  const place =
    storage === there.storage
      ? { field: `${volume}.format`, from: there.format, to: format }
      : { field: `${volume}.storage`, from: there.storage, to: storage };
  return { name, slot, file: there.file, toDo: 'move', ...place };
}
