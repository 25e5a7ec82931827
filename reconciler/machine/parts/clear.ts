import { BURST_LENGTHS, pveKey } from '../../../spec';
import { propertiesOf } from '../../guest/configuration';
import { KEYS } from '../../pve/keys/keys';
import { CPU } from './cpu';
import { FAMILIES } from './cloud-init/address-wants';
import { LISTS, removedFrom } from './device-lists';
import { DISK, DISK_LIMITS } from './disks';
import { NETWORK } from './networks';
import type { Part, Scene } from '../scene';
import { SMBIOS } from './smbios';
import { placeOf, type Want } from '../want';

/** Fields that are a key of Proxmox and are not cleared as one: by their properties, or where they are written. */
const NOT_WHOLE = ['smbios', 'description', 'tags'];
const LIMITS = [...Object.values(DISK_LIMITS), ...Object.keys(BURST_LENGTHS)];
/** The properties of a drive that are none of its options. */
const OURS = ['file', 'size', 'format', 'media', ...Object.values(DISK), ...Object.values(DISK_LIMITS)];

/** `clear`: fields that are removed from the guest. Description, tags and pool are cleared where they are written. */
export const clear: Part = scene => (scene.spec.clear ?? []).flatMap(field => clearedBy(field, scene));

function clearedBy(field: string, scene: Scene): Want[] {
  const { next, slots } = scene;
  const place = placeFor(field);
  if (place !== undefined) return [{ field, ...placeOf(place), value: null }];
  const list = LISTS.find(name => name === field);
  if (list) return removedFrom(list, 0, next);
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

function inCard(field: string, inner: string, slot: string | undefined, { next, spec }: Scene): Want[] {
  if (slot === undefined || next[slot] === undefined) return [];
  const property = NETWORK[inner];
  if (property !== undefined) return gone(field, slot, [property]);
  const network = spec.networks?.find(({ name }) => field.startsWith(`networks[${name}].`));
  const left = FAMILIES.filter(({ family }) => [family, 'staticIP'].includes(inner) && !network?.[family]);
  const properties = left.flatMap(({ address, gateway }) => [address, gateway]);
  return gone(field, slot.replace('net', 'ipconfig'), properties);
}

function inDisk(field: string, inner: string, slot: string | undefined, { next }: Scene): Want[] {
  if (slot === undefined || next[slot] === undefined) return [];
  if (inner === 'limits') return gone(field, slot, LIMITS);
  if (inner !== 'options') return gone(field, slot, [DISK[inner] ?? inner]);
  const there = Object.keys(propertiesOf(slot, next[slot]));
  const options = there.filter(property => !OURS.includes(property));
  return gone(field, slot, options);
}
