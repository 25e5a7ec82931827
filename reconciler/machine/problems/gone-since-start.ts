import { isCdrom, readDrive } from '../../guest/drive';
import { propertiesOf, type Configuration } from '../../guest/configuration';
import { DRIVE_KEYS } from '../../guest/slot-names';
import type { ObservedGuest, ObservedNode } from '../../observed';
import { isDataIso } from '../data-iso/data-iso-name';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** A volume that a start needs, and what takes it out of the guest. */
interface NeededVolume {
  key: string;
  volume: string;
  without: string;
}

/** Whose absence is looked at: a guest that is there, as it is once everything is written, on the node where it starts. */
interface Start {
  scene: Pick<Scene, 'spec' | 'slots' | 'context'>;
  vmid: number;
  after: Configuration;
  node: string;
}

/**
 * What a guest that runs was started with and that is gone since: Proxmox lets people delete an ISO, a script or a mapping
 * that is in use, and nothing is missed until the next start, which fails (PVE: vm_start). Told before the guest is stopped for that.
 */
export function goneSinceStart(
  scene: Start['scene'],
  { power, vmid }: Pick<ObservedGuest, 'power' | 'vmid'>,
  after: Configuration,
  node: ObservedNode | undefined,
): Problem[] {
  // one that is off fails to start, and nobody misses it; one that went back to a snapshot ran before
  if ((power === 'stopped' && !scene.context.done.hasReverted) || node === undefined) return [];
  const start: Start = { scene, vmid, after, node: node.name };
  return [...goneVolumes(start), ...goneMappings(start)];
}

function goneVolumes({ scene: { spec, slots, context }, vmid, after, node }: Start): Problem[] {
  const { facts } = context;
  const needed = [...isos(after, vmid), ...hookScript(after, vmid)];
  // its storages come first: without them nobody can list volumes
  if (needed.length === 0 || facts.ask('node', node)?.storages === undefined) return [];
  return needed.flatMap(({ key, volume, without }) => {
    const [storage = ''] = volume.split(':');
    const there = facts.ask('volumes', `${node}/${storage}`);
    if (there === undefined || there.includes(volume)) return [];
    const detail = `It would not start on ${node}: ${key} is ${volume}, which storage '${storage}' does not have.`;
    const ours = key === slots.cdrom ? spec.cdrom : key === 'hookscript' ? spec.hookScript : undefined;
    const way = ours === undefined ? `take it out of the guest: ${without}` : `say another one in the spec`;
    const remedy = `Bring the file back, or ${way}. Then run again.`;
    return [{ field: key, to: volume, why: 'volume-not-found', detail, remedy, changed: 'nothing' }];
  });
}

/** The ISOs in its drives. One of ours is uploaded before it is written. */
function isos(after: Configuration, vmid: number): NeededVolume[] {
  return DRIVE_KEYS.flatMap(key => {
    const { file: volume, storage } = readDrive(after[key]);
    if (storage === undefined || !isCdrom(after[key]) || isDataIso(volume)) return [];
    return [{ key, volume, without: `qm set ${vmid} --${key} none,media=cdrom` }];
  });
}

function hookScript({ hookscript: volume }: Configuration, vmid: number): NeededVolume[] {
  if (volume === undefined) return [];
  return [{ key: 'hookscript', volume, without: `qm set ${vmid} --delete hookscript` }];
}

/** PVE: a mapping that names no device of the node is as none (QemuServer/PCI.pm and USB.pm; assumed of the node). */
function goneMappings({ scene: { spec, context }, vmid, after, node }: Start): Problem[] {
  return Object.entries(after).flatMap(([key, text]) => {
    const kind = /^hostpci\d+$/.test(key) ? 'pci' : /^usb\d+$/.test(key) ? 'usb' : undefined;
    const mapping = kind === undefined ? undefined : propertiesOf(key, text).mapping;
    if (kind === undefined || mapping === undefined) return [];
    const to = String(mapping);
    const there = context.facts.ask('mappings', kind);
    if (there === undefined || there[to]?.includes(node) === true) return [];
    const detail = `It would not start on ${node}: ${key} is the mapping '${to}', which names no ${kind.toUpperCase()} device of that node.`;
    const isOurs = spec[kind]?.some(device => device.mapping === to) === true;
    const way = isOurs
      ? 'say another one in the spec'
      : `take it out of the guest: qm set ${vmid} --delete ${key}`;
    const remedy = `Make the mapping for that node, or ${way}. Then run again.`;
    return [{ field: key, to, why: `${kind}-mapping-not-found`, detail, remedy, changed: 'nothing' }];
  });
}
