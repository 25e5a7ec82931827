import { bootOrder } from './boot-order';
import { cdrom } from './cdrom';
import { clear } from './clear';
import { compare } from '../compare';
import type { Configuration } from '../../guest/configuration';
import { cloudInit } from './cloud-init/cloud-init';
import { cpu } from './cpu';
import { deviceLists } from './device-lists';
import { singleDevices } from './devices';
import { disks } from './disks';
import { firmware } from './firmware';
import { leavingVolumes } from '../leaving-volumes';
import { memory } from './memory';
import { networks } from './networks';
import type { Part, Scene } from '../scene';
import { smbios } from './smbios';
import { agent, startup } from './starting';
import { stateVolumes } from './state-volumes';
import { options, switches } from './switches';
import { tags } from './tags';
import type { Want } from '../want';

const PARTS: readonly Part[] = [
  switches,
  tags,
  smbios,
  cpu,
  memory,
  firmware,
  stateVolumes,
  disks,
  leavingVolumes,
  networks,
  cdrom,
  cloudInit,
  agent,
  startup,
  singleDevices,
  deviceLists,
  options,
];

/** A scene never changes, and several parts of one plan ask for its wants. */
const known = new WeakMap<Scene, readonly Want[]>();

/** Everything that a spec wants of a guest's configuration, but the description, which holds the mark. */
export function wantsOf(scene: Scene): readonly Want[] {
  const wants = known.get(scene) ?? allOf(scene);
  known.set(scene, wants);
  return wants;
}

function allOf(scene: Scene): Want[] {
  const wants = PARTS.flatMap(part => part(scene));
  return [...wants, ...bootOrder(scene, afterWrite(scene.next, wants)), ...clear(scene)];
}

/** The configuration once this is written. PVE takes a boot order that names its new devices in the same request (recording g0). */
export function afterWrite(config: Configuration, wants: readonly Want[]): Configuration {
  const { set, delete: gone } = compare(wants, config);
  return Object.fromEntries(Object.entries({ ...config, ...set }).filter(([key]) => !gone.includes(key)));
}
