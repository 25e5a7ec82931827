import type { MachineSpec } from '../../../spec';
import type { Action, Refusal } from '../../action';
import { propertiesOf, propertyText, type Configuration } from '../../guest/configuration';
import { isDisk, readDrive } from '../../guest/drive';
import { isDriveKey } from '../../guest/key-kinds';
import type { ObservedStorage } from '../../observed';
import { impossible } from './plan-snapshots';

/** The types of storage that keep snapshots of qcow2 alone, or of no volume. Others keep all, or are not judged. */
const KEEPS: Readonly<Record<string, 'qcow2' | 'none'>> = {
  // recording 52: raw on a directory has no snapshots
  dir: 'qcow2',
  nfs: 'qcow2',
  cifs: 'qcow2',
  iscsi: 'none',
  iscsidirect: 'none',
};

/** The drives of a guest once some actions are done. */
export function drivesAfter(config: Configuration, actions: readonly Action[]): Configuration {
  const after = { ...config };
  for (const action of actions) {
    if (action.kind === 'configure') Object.assign(after, action.set);
    if (action.kind !== 'move-disk') continue;
    const { slot, storage, format } = action;
    const properties = propertiesOf(slot, after[slot]);
    const kept = format ?? readDrive(after[slot]).format;
    after[slot] = propertyText(slot, { ...properties, file: `${storage}:${slot}`, format: kept });
  }
  return after;
}

/** Why a machine that is to be made, with these drives, could not have the snapshots that are wanted of it. */
export function newWithoutSnapshots(
  { id }: MachineSpec,
  drives: Readonly<Record<string, unknown>>,
  storages: readonly ObservedStorage[],
): Refusal[] {
  const cannot = Object.entries(drives).flatMap(([key, line]) => {
    const text = String(line);
    if (!isDriveKey(key) || !isDisk(text)) return [];
    const { storage, format } = readDrive(text);
    const { type = '' } = storages.find(({ name }) => name === storage) ?? {};
    const keeps = KEEPS[type];
    return keeps === undefined || keeps === format ? [] : [`${key} is ${format} on ${storage} (${type})`];
  });
  return cannot.length === 0 ? [] : [impossible(id, undefined, cannot.join(', '))];
}
