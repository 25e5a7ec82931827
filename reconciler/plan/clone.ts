import type { MachineSpec } from '../../spec';
import type { Action, ActionOf, Change, CreateParams, Warning } from '../action';
import { propertiesOf, propertyText, type Configuration } from '../guest/configuration';
import { isDisk, readDrive } from '../guest/drive';
import { isDriveKey } from '../guest/key-kinds';
import { rootElsewhere } from '../machine/problems/linked-storage';
import type { Scene } from '../machine/scene';
import { volumeActions } from '../machine/resize-and-move';
import type { PlaceOfNew } from '../machine/facts';
import type { ListedGuest } from '../observed';
import { readDescription, writeDescription } from '../mark/description';
import { createMark } from './mark-content';

/**
 * The parameters of a clone. The description goes along, so that a creation which is cut short is found; the rest is
 * written once the clone is there.
 */
export function cloneParams(scene: Scene): CreateParams {
  const { spec, vmid } = scene;
  const { source, node } = scene.place ?? {};
  const { snapshot } = spec.image ?? {};
  const root = spec.disks?.find(({ name }) => name === 'root');
  const full = isFull(scene);
  const sourceText = readDescription(source?.config?.description ?? '').text;
  return {
    newid: vmid,
    name: spec.name ?? spec.id,
    description: writeDescription(spec.description ?? sourceText, createMark(scene)),
    full,
    ...(node === undefined || node === source?.node ? {} : { target: node }),
    ...(full && root?.storage !== undefined ? { storage: root.storage } : {}),
    ...(full && root?.storage !== undefined && root.format !== undefined ? { format: root.format } : {}),
    ...(snapshot === undefined ? {} : { snapname: snapshot }),
    ...(spec.pool === undefined ? {} : { pool: spec.pool }),
  };
}

/** PVE makes linked clones of templates only. Without a word, a root on another storage makes the clone full. */
function isFull(scene: Scene): boolean {
  const { spec, place } = scene;
  if (place?.source?.template !== true || spec.image?.clone === 'full') return true;
  return spec.image?.clone === undefined && rootElsewhere(scene) !== undefined;
}

/** What to tell where the number of a template is that of any guest, which goes on to change while it is copied. */
export function copiedAsItIs(
  { image }: MachineSpec,
  { source }: Pick<PlaceOfNew, 'source'>,
  guests: readonly ListedGuest[],
): Warning[] {
  if (image?.template === undefined || image.snapshot !== undefined || source?.template !== false) return [];
  const { vmid, name, node } = source;
  const runs = guests.some(guest => guest.vmid === vmid && guest.power === 'running');
  const text = `guest ${vmid} (${name}) on ${node} is no template: its disks are copied in full, as they are then${runs ? ', while it runs' : ''}.`;
  return [{ about: `source ${vmid}`, text }];
}

/** What grows and moves once a clone stands, told by the disks of its source. */
export function cloneVolumes(scene: Scene, create: Action): Change[] {
  if (create.kind !== 'clone') return [];
  const cloned = clonedConfig(scene.running, create);
  return volumeActions({ ...scene, next: cloned, running: cloned }).changes;
}

const NOT_COPIED = /^(?:template|lock|parent|digest|snaptime|vmstate|runningmachine|runningcpu|unused\d+)$/;

/** The configuration that a clone has at first. PVE: one that names a storage has all disks of its source there. */
export function clonedConfig(
  source: Configuration,
  { params: { storage, format } }: ActionOf<'clone'>,
): Configuration {
  const copied = Object.entries(source).filter(([key]) => !NOT_COPIED.test(key));
  const placed = copied.map(([key, text]): [string, string] => {
    const stays = storage === undefined || !isDriveKey(key) || !isDisk(text);
    return [key, stays ? text : onStorage(key, text, String(storage), format)];
  });
  return Object.fromEntries(placed);
}

function onStorage(slot: string, text: string, storage: string, format: unknown): string {
  const properties = propertiesOf(slot, text);
  const kept = String(format ?? readDrive(text).format);
  return propertyText(slot, { ...properties, file: `${storage}:${slot}.${kept}`, format: kept });
}
