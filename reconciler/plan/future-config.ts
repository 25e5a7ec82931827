import { hasOwnData, type ClusterSpec, type MachineSpec } from '../../spec';
import { propertiesOf, propertyText, type Configuration } from '../guest/configuration';
import { existingVolume, readDrive } from '../guest/drive';
import { Facts } from '../machine/facts';
import { nothingDone, type WantedOfPlan } from '../machine/plan-context';
import { afterWrite, wantsOf } from '../machine/parts/wants-of';
import { isCloned } from '../mark/image-words';
import { createScene, type Scene } from '../machine/scene';
import { volumeActions } from '../machine/resize-and-move';
import { drivesAfter } from './snapshots/storage-problems';

/**
 * The configuration that a machine will have which is still to be made in the same run, as far as its spec says it: what a
 * clone of it brings. `brought`: the configuration of what it is cloned from; empty where it is made from nothing. Pure.
 */
export function futureConfig(
  machine: MachineSpec,
  brought: Configuration,
  { owner, clusterSpec }: { owner: string; clusterSpec: ClusterSpec },
): Record<string, string> {
  const spec = withoutData(machine);
  const source = { node: '', vmid: 0, name: '', template: false, config: { ...brought } };
  const place = { node: '', vmid: 0, ...(isCloned(spec.image) && { source }) };
  const wanted: WantedOfPlan = { identity: { owner, ids: [spec.id] }, secrets: {} };
  const context = { wanted, done: nothingDone(''), clusterSpec, facts: new Facts(undefined) };
  const scene = createScene(spec, { ...brought }, place, context);
  const made = withVolumes(afterWrite(brought, wantsOf(scene)), scene);
  const { actions } = volumeActions({ ...scene, next: made, running: made });
  const grown = actions.flatMap(action =>
    action.kind === 'resize'
      ? [[action.slot, sized(action.slot, made[action.slot], action.bytes)] as const]
      : [],
  );
  return { ...drivesAfter({ ...made, ...Object.fromEntries(grown) }, actions) };
}

/** Its own data needs secrets, and says nothing of what a clone of it brings: that gets data of its own. */
function withoutData(machine: MachineSpec): MachineSpec {
  if (!hasOwnData(machine.cloudInit)) return machine;
  const { cloudInit: _, ...rest } = machine;
  return rest;
}

/** What asks for a new volume becomes a volume of that size. */
function withVolumes(config: Configuration, { spec, slots }: Scene): Configuration {
  const volumes = (spec.disks ?? []).flatMap(({ name, size }) => {
    const slot = slots.disks[name];
    const text = slot === undefined ? undefined : config[slot];
    if (slot === undefined || text === undefined || existingVolume(text) !== undefined) return [];
    const { storage } = readDrive(text);
    const { 'import-from': __, ...kept } = propertiesOf(slot, text);
    const line = propertyText(slot, { ...kept, file: `${storage}:${slot}` });
    return [[slot, size === undefined ? line : sized(slot, line, size)] as const];
  });
  return { ...config, ...Object.fromEntries(volumes) };
}

function sized(slot: string, text: string | undefined, bytes: number): string {
  return propertyText(slot, { ...propertiesOf(slot, text), size: bytes });
}
