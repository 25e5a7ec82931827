import { BURST_LENGTHS } from '../../../spec';
import { propertiesOf } from '../../guest/configuration';
import { CPU } from './cpu';
import { removedFrom } from './device-lists';
import { DISK, DISK_LIMITS } from './disks';
import { NETWORK } from './networks';
import type { Part, Scene } from '../scene';
import { SMBIOS } from './smbios';
import { SWITCHES } from './switches';
import { placeOf, type Want } from '../want';

/** Fields at the top whose name says nothing of Proxmox's key. */
const TOP: Readonly<Record<string, string>> = {
  ...SWITCHES,
  agent: 'agent',
  audio: 'audio0',
  balloon: 'balloon',
  bios: 'bios',
  bootOrder: 'boot',
  display: 'vga',
  efiDisk: 'efidisk0',
  hotplug: 'hotplug',
  hugepages: 'hugepages',
  machine: 'machine',
  memory: 'memory',
  osType: 'ostype',
  rng: 'rng0',
  scsiController: 'scsihw',
  shares: 'shares',
  startup: 'startup',
  tpm: 'tpmstate0',
  watchdog: 'watchdog',
  'cloudInit.passwordFrom': 'cipassword',
  'cloudInit.sshKeys': 'sshkeys',
  'cloudInit.upgradePackages': 'ciupgrade',
  'cloudInit.user': 'ciuser',
  ...Object.fromEntries(Object.entries(CPU).map(([field, place]) => [`cpu.${field}`, place])),
};
const LISTS = { serial: 'serial', usb: 'usb', pci: 'hostpci', virtiofs: 'virtiofs' } as const;
const FAMILIES = { ipv4: ['ip', 'gw'], ipv6: ['ip6', 'gw6'], staticIP: ['ip', 'gw', 'ip6', 'gw6'] } as const;

/** `clear`: fields that are removed from the guest. Description, tags and pool are cleared where they are written. */
export const clear: Part = scene => (scene.spec.clear ?? []).flatMap(field => clearedBy(field, scene));

function clearedBy(field: string, scene: Scene): Want[] {
  const { config, slots } = scene;
  const place = TOP[field];
  if (place !== undefined) return [{ field, ...placeOf(place), value: null }];
  const list = Object.entries(LISTS).find(([name]) => name === field);
  if (list) return removedFrom(list[0], list[1], 0, config);
  const [, kind, name = '', inner = ''] = /^(networks|disks)\[(.+)\]\.(.+)$/.exec(field) ?? [];
  if (kind === 'networks') return inCard(field, inner, slots.networks[name], scene);
  if (kind === 'disks') return inDisk(field, inner, slots.disks[name], scene);
  if (field.startsWith('options.')) return [{ field, key: field.slice('options.'.length), value: null }];
  if (field === 'cdrom') return [{ field, key: slots.cdrom, value: null }];
  if (field === 'smbios')
    return gone(
      field,
      'smbios1',
      Object.values(SMBIOS).map(at => placeOf(at).property ?? at),
    );
  return field === 'cloudInit.dns' ? [gone(field, 'nameserver'), gone(field, 'searchdomain')].flat() : [];
}

function gone(field: string, key: string, properties?: readonly string[]): Want[] {
  if (properties === undefined) return [{ field, key, value: null }];
  return properties.map(property => ({ field, key, property, value: null }));
}

function inCard(field: string, inner: string, slot: string | undefined, { config, spec }: Scene): Want[] {
  if (slot === undefined || config[slot] === undefined) return [];
  const property = NETWORK[inner];
  if (property !== undefined) return gone(field, slot, [property]);
  const said = Object.entries(FAMILIES).find(([name]) => name === inner)?.[1] ?? [];
  const network = (spec.networks ?? []).find(({ name }) => field.startsWith(`networks[${name}].`));
  const kept = [...(network?.ipv4 ? FAMILIES.ipv4 : []), ...(network?.ipv6 ? FAMILIES.ipv6 : [])];
  return gone(
    field,
    slot.replace('net', 'ipconfig'),
    said.filter(property => !kept.some(other => other === property)),
  );
}

function inDisk(field: string, inner: string, slot: string | undefined, { config }: Scene): Want[] {
  if (slot === undefined || config[slot] === undefined) return [];
  if (inner === 'limits')
    return gone(field, slot, [...Object.values(DISK_LIMITS), ...Object.keys(BURST_LENGTHS)]);
  if (inner !== 'options') return gone(field, slot, [DISK[inner] ?? inner]);
  const ours = new Set([
    'file',
    'size',
    'format',
    'media',
    ...Object.values(DISK),
    ...Object.values(DISK_LIMITS),
  ]);
  return gone(
    field,
    slot,
    Object.keys(propertiesOf(slot, config[slot])).filter(property => !ours.has(property)),
  );
}
