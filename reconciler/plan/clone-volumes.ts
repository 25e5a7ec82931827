import type { Action, Change } from '../action';
import { propertiesOf, propertyText } from '../guest/configuration';
import { isDisk, readDrive } from '../guest/drive';
import type { Scene } from '../machine/scene';
import { volumeActions } from '../machine/volume-actions';
import { isDriveKey } from '../guest/key-kinds';

/** What grows and moves once a clone stands, told by the disks of its source. */
export function cloneVolumes(scene: Scene, create: Action): Change[] {
  if (create.kind !== 'clone') return [];
  const { storage, format } = create.params;
  const placed = Object.entries(scene.current).map(([slot, text]) => {
    const stays = storage === undefined || !isDriveKey(slot) || !isDisk(text);
    return [slot, stays ? text : onStorage(slot, text, String(storage), format)];
  });
  const config: Scene['config'] = Object.fromEntries(placed);
  return volumeActions({ ...scene, config, current: config }).changes;
}

/** PVE: a clone that names a storage puts all disks of the guest there. */
function onStorage(slot: string, text: string, storage: string, format: unknown): string {
  const properties = propertiesOf(slot, text);
  const kept = String(format ?? readDrive(text).format);
  return propertyText(slot, { ...properties, file: `${storage}:${slot}.${kept}`, format: kept });
}
