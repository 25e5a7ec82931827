import { isCdrom, isCloudInit, readDrive } from '../../guest/drive';
import { propertiesOf, type Configuration } from '../../guest/configuration';
import { DRIVE_KEYS } from '../../guest/slot-names';
import { isDataIso } from '../data-iso/data-iso-name';
import type { Problem } from '../problem';
import type { Start, Wanting } from './start';

/** A volume that a start needs, and the option of `qm set` that takes it out of the guest. */
interface NeededVolume {
  key: string;
  volume: string;
  /** Its kind, as a storage names those that it takes. */
  content: 'iso' | 'snippets';
  without: string;
}

/**
 * What a guest that runs was started with and that is gone since: Proxmox lets people delete an ISO, a script or a mapping
 * that is in use, and nothing is missed until the next start, which fails (PVE: vm_start). Told before the guest is stopped for that.
 */
export function goneSinceStart(scene: Wanting, start: Start): Problem[] {
  return [...goneVolumes(scene, start), ...goneMappings(scene, start)];
}

function goneVolumes(
  { spec, slots, context }: Wanting,
  { vmid, after, node, uploads = true, who = 'It', from = { vmid, node } }: Start,
): Problem[] {
  const needed = [...isos(after, uploads), ...snippets(after)];
  return needed.flatMap(({ key, volume, content, without }) => {
    const [storage = ''] = volume.split(':');
    const known = context.facts.ask('node', node)?.storages?.find(({ name }) => name === storage);
    // PVE lists no kind that the storage's content does not name, and starts a guest with such a file all the same
    if (known?.content.includes(content) !== true) return [];
    const there = context.facts.ask('volumes', `${node}/${storage}`);
    if (there === undefined || there.includes(volume)) return [];
    const detail = `${who} would not start on ${node}: ${key} is ${volume}, which storage '${storage}' does not have.`;
    const remedy = isDataIso(volume)
      ? 'It holds the data of cloud-init that the spec asks for: run an apply, which uploads it. Then run again.'
      : remedyFor('Bring the file back', isOurs(key, { spec, slots }), { without, from });
    return [{ field: key, to: volume, why: 'volume-not-found', detail, remedy, changed: 'nothing' }];
  });
}

/** Whether the spec says which file it is. */
function isOurs(key: string, { spec, slots }: Pick<Wanting, 'spec' | 'slots'>): boolean {
  if (key === slots.cdrom) return spec.cdrom !== undefined;
  return key === 'hookscript' ? spec.hookScript !== undefined : spec.options?.[key] !== undefined;
}

function remedyFor(
  back: string,
  isSaid: boolean,
  { without, from }: { without: string } & Required<Pick<Start, 'from'>>,
): string {
  const byHand = `take it out of the guest: qm set ${from.vmid} --${without} on node ${from.node}`;
  const way = isSaid ? 'say another one in the spec' : byHand;
  return `${back}, or ${way}. Then run again.`;
}

/** The ISOs in its drives. `uploads`: one of ours is laid there before. */
function isos(after: Configuration, uploads: boolean): NeededVolume[] {
  return DRIVE_KEYS.flatMap(key => {
    const { file: volume, storage } = readDrive(after[key]);
    if (storage === undefined || !isCdrom(after[key]) || (isDataIso(volume) && uploads)) return [];
    return [{ key, volume, content: 'iso', without: `${key} none,media=cdrom` }];
  });
}

/** The hook script; and what goes into the cloud-init image, which Proxmox makes anew at each start (Cloudinit.pm). */
function snippets(after: Configuration): NeededVolume[] {
  const hook = after.hookscript === undefined ? [] : [after.hookscript];
  const hasDrive = Object.values(after).some(isCloudInit);
  const data = hasDrive ? Object.values(propertiesOf('cicustom', after['cicustom'])).map(String) : [];
  const needed = (key: string, volumes: string[]): NeededVolume[] =>
    volumes.map(volume => ({ key, volume, content: 'snippets', without: `delete ${key}` }));
  return [...needed('hookscript', hook), ...needed('cicustom', data)];
}

/** PVE: a mapping that names no device of the node is as none (QemuServer/PCI.pm and USB.pm; assumed of the node). */
function goneMappings(
  { spec, context }: Wanting,
  { vmid, after, node, who = 'It', from = { vmid, node } }: Start,
): Problem[] {
  return Object.entries(after).flatMap(([key, text]) => {
    const kind = /^hostpci\d+$/.test(key) ? 'pci' : /^usb\d+$/.test(key) ? 'usb' : undefined;
    const mapping = kind === undefined ? undefined : propertiesOf(key, text).mapping;
    if (kind === undefined || mapping === undefined) return [];
    const to = String(mapping);
    const there = context.facts.ask('mappings', kind);
    if (there === undefined || (Object.hasOwn(there, to) && there[to]?.includes(node) === true)) return [];
    const detail = `${who} would not start on ${node}: ${key} is the mapping '${to}', which names no ${kind.toUpperCase()} device of that node.`;
    const isOurs = spec[kind]?.some(device => device.mapping === to) === true;
    const remedy = remedyFor('Make the mapping for that node', isOurs, { without: `delete ${key}`, from });
    return [{ field: key, to, why: `${kind}-mapping-not-found`, detail, remedy, changed: 'nothing' }];
  });
}
