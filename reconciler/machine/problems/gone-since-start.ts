import { isCdrom, readDrive } from '../../guest/drive';
import { propertiesOf, type Configuration } from '../../guest/configuration';
import { DRIVE_KEYS } from '../../guest/slot-names';
import { isDataIso } from '../data-iso/data-iso-name';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** A volume that a start needs, and what takes it out of the guest. */
interface NeededVolume {
  key: string;
  volume: string;
  /** Its kind, as a storage names those that it takes. */
  content: 'iso' | 'snippets';
  without: string;
}

/** A guest as it is when it starts, and where. */
interface Start {
  vmid: number;
  after: Configuration;
  node: string;
  /** It goes on with its memory: nothing of ours is uploaded before. */
  resumes?: boolean;
  /** Who would not start, as a sentence begins. */
  who?: string;
}

/** What tells whose word a file or a mapping is. */
type Wanting = Pick<Scene, 'spec' | 'slots' | 'context'>;

/**
 * What a guest that runs was started with and that is gone since: Proxmox lets people delete an ISO, a script or a mapping
 * that is in use, and nothing is missed until the next start, which fails (PVE: vm_start). Told before the guest is stopped for that.
 */
export function goneSinceStart(scene: Wanting, start: Start): Problem[] {
  return [...goneVolumes(scene, start), ...goneMappings(scene, start)];
}

function goneVolumes(
  { spec, slots, context }: Wanting,
  { vmid, after, node, resumes = false, who = 'It' }: Start,
): Problem[] {
  const needed = [...isos(after, { vmid, resumes }), ...hookScript(after, vmid)];
  return needed.flatMap(({ key, volume, content, without }) => {
    const [storage = ''] = volume.split(':');
    const known = context.facts.ask('node', node)?.storages?.find(({ name }) => name === storage);
    // PVE lists no kind that the storage's content does not name, and starts a guest with such a file all the same
    if (known?.content.includes(content) !== true) return [];
    const there = context.facts.ask('volumes', `${node}/${storage}`);
    if (there === undefined || there.includes(volume)) return [];
    const detail = `${who} would not start on ${node}: ${key} is ${volume}, which storage '${storage}' does not have.`;
    const ours = key === slots.cdrom ? spec.cdrom : key === 'hookscript' ? spec.hookScript : undefined;
    const remedy = remedyFor('Bring the file back', ours !== undefined, `${without} on node ${node}`);
    return [{ field: key, to: volume, why: 'volume-not-found', detail, remedy, changed: 'nothing' }];
  });
}

function remedyFor(back: string, isOurs: boolean, without: string): string {
  const way = isOurs ? 'say another one in the spec' : `take it out of the guest: ${without}`;
  return `${back}, or ${way}. Then run again.`;
}

/** The ISOs in its drives. One of ours is uploaded before it is written. */
function isos(
  after: Configuration,
  { vmid, resumes }: Required<Pick<Start, 'vmid' | 'resumes'>>,
): NeededVolume[] {
  return DRIVE_KEYS.flatMap(key => {
    const { file: volume, storage } = readDrive(after[key]);
    if (storage === undefined || !isCdrom(after[key]) || (isDataIso(volume) && !resumes)) return [];
    return [{ key, volume, content: 'iso', without: `qm set ${vmid} --${key} none,media=cdrom` }];
  });
}

function hookScript({ hookscript: volume }: Configuration, vmid: number): NeededVolume[] {
  if (volume === undefined) return [];
  return [{ key: 'hookscript', volume, content: 'snippets', without: `qm set ${vmid} --delete hookscript` }];
}

/** PVE: a mapping that names no device of the node is as none (QemuServer/PCI.pm and USB.pm; assumed of the node). */
function goneMappings({ spec, context }: Wanting, { vmid, after, node, who = 'It' }: Start): Problem[] {
  return Object.entries(after).flatMap(([key, text]) => {
    const kind = /^hostpci\d+$/.test(key) ? 'pci' : /^usb\d+$/.test(key) ? 'usb' : undefined;
    const mapping = kind === undefined ? undefined : propertiesOf(key, text).mapping;
    if (kind === undefined || mapping === undefined) return [];
    const to = String(mapping);
    const there = context.facts.ask('mappings', kind);
    if (there === undefined || (Object.hasOwn(there, to) && there[to]?.includes(node) === true)) return [];
    const detail = `${who} would not start on ${node}: ${key} is the mapping '${to}', which names no ${kind.toUpperCase()} device of that node.`;
    const isOurs = spec[kind]?.some(device => device.mapping === to) === true;
    const without = `qm set ${vmid} --delete ${key} on node ${node}`;
    const remedy = remedyFor('Make the mapping for that node', isOurs, without);
    return [{ field: key, to, why: `${kind}-mapping-not-found`, detail, remedy, changed: 'nothing' }];
  });
}
