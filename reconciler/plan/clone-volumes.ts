import type { Action, Change } from '../action';
import { propertiesOf, propertyText } from '../guest/configuration';
import { isDisk, readDrive } from '../guest/drive';
import type { Scene } from '../machine/scene';
import { volumeActions } from '../machine/volume-actions';
import { DRIVE_SLOTS } from '../guest/slot-names';

/** What grows and moves once a clone stands, told by the disks of its source. */
export function cloneVolumes(scene: Scene, birth: Action): Change[] {
  if (birth.kind !== 'clone') return [];
  const { storage, format } = birth.params;
  const placed = Object.entries(scene.current).map(([slot, text]) => {
    const stays = storage === undefined || !VOLUMES.includes(slot) || !isDisk(text);
    return [slot, stays ? text : onStorage(slot, text, String(storage), format)];
  });
  const config: Scene['config'] = Object.fromEntries(placed);
  return volumeActions({ ...scene, config, current: config }).changes;
}

const VOLUMES = [...DRIVE_SLOTS, 'efidisk0', 'tpmstate0'];

/** PVE: a clone that names a storage puts all disks of the guest there. */
function onStorage(slot: string, text: string, storage: string, format: unknown): string {
  const properties = propertiesOf(slot, text);
  const kept = String(format ?? readDrive(text).format);
  return propertyText(slot, { ...properties, file: `${storage}:${slot}.${kept}`, format: kept });
}
