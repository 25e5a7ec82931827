import { BURST_LENGTHS, pveKey } from '../../../spec';
import { propertiesOf } from '../../guest/configuration';
import { KEYS } from '../../pve/keys/keys';
import { CPU } from './cpu';
import { removedFrom } from './device-lists';
import { DISK, DISK_LIMITS } from './disks';
import { NETWORK } from './networks';
import type { Part, Scene } from '../scene';
import { SMBIOS } from './smbios';
import { placeOf, type Want } from '../want';

/** Fields that are a key of Proxmox and are not cleared as one: by their properties, or where they are written. */
const NOT_WHOLE = ['smbios', 'description', 'tags'];
const LISTS = { serial: 'serial', usb: 'usb', pci: 'hostpci', virtiofs: 'virtiofs' } as const;
const FAMILIES = { ipv4: ['ip', 'gw'], ipv6: ['ip6', 'gw6'], staticIP: ['ip', 'gw', 'ip6', 'gw6'] } as const;

/** `clear`: fields that are removed from the guest. Description, tags and pool are cleared where they are written. */
export const clear: Part = scene => (scene.spec.clear ?? []).flatMap(field => clearedBy(field, scene));

function clearedBy(field: string, scene: Scene): Want[] {
  const { config, slots } = scene;
  const place = placeFor(field);
  if (place !== undefined) return [{ field, ...placeOf(place), value: null }];
  const list = Object.entries(LISTS).find(([name]) => name === field);
  if (list) return removedFrom(list[0], list[1], 0, config);
  const [, kind, name = '', inner = ''] = /^(networks|disks)\[(.+)\]\.(.+)$/.exec(field) ?? [];
  if (kind === 'networks') return inCard(field, inner, slots.networks[name], scene);
  if (kind === 'disks') return inDisk(field, inner, slots.disks[name], scene);
  if (field.startsWith('options.')) return [{ field, key: field.slice('options.'.length), value: null }];
  if (field === 'cdrom') return [{ field, key: slots.cdrom, value: null }];
  if (field === 'smbios') return gone(field, 'smbios1', SMBIOS);
  return field === 'cloudInit.dns' ? [gone(field, 'nameserver'), gone(field, 'searchdomain')].flat() : [];
}

/** Where a field stands that is one key of Proxmox, or one property inside it; undefined for every other field. */
function placeFor(field: string): string | undefined {
  if (field.startsWith('cpu.')) return CPU[field.slice('cpu.'.length)];
  if (NOT_WHOLE.includes(field)) return undefined;
  return Object.keys(KEYS).find(key => pveKey(key)?.key.field === field);
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
