import type { MachineSpec } from '../../../spec';
import type { Action, Refusal } from '../../action';
import type { Configuration } from '../../guest/configuration';
import { isDisk, readDrive } from '../../guest/drive';
import { isDriveKey } from '../../guest/key-kinds';
import type { ObservedStorage } from '../../observed';
import { impossible } from './plan-snapshots';

/** By type: whether a storage keeps snapshots of any volume, of qcow2 alone, or of none. Others are not judged. */
const KEEPS: Readonly<Record<string, 'any' | 'qcow2' | 'none'>> = {
  zfspool: 'any',
  zfs: 'any',
  rbd: 'any',
  lvmthin: 'any',
  btrfs: 'any',
  // recording 52: raw on a directory has no snapshots
  dir: 'qcow2',
  nfs: 'qcow2',
  cifs: 'qcow2',
  iscsi: 'none',
  iscsidirect: 'none',
};

/** Why a machine that is to be made could not have the snapshots that are wanted of it. */
export function newWithoutSnapshots(
  { id }: MachineSpec,
  create: Extract<Action, { kind: 'create' | 'clone' }>,
  source: Configuration | undefined,
  storages: readonly ObservedStorage[],
): Refusal[] {
  const lines = create.kind === 'create' ? create.params : (source ?? {});
  const { storage: to, format: as } = create.kind === 'clone' ? create.params : {};
  const cannot = Object.entries(lines).flatMap(([key, line]) => {
    const text = String(line);
    if (!isDriveKey(key) || !isDisk(text)) return [];
    const drive = readDrive(text);
    const storage = storages.find(({ name }) => name === String(to ?? drive.storage));
    const format = String(as ?? drive.format);
    const keeps = storage && KEEPS[storage.type];
    if (storage === undefined || keeps === undefined || keeps === 'any') return [];
    return keeps === 'qcow2' && format === 'qcow2'
      ? []
      : [`${key} is ${format} on ${storage.name} (${storage.type})`];
  });
  return cannot.length === 0 ? [] : [impossible(id, undefined, cannot.join(', '))];
}
