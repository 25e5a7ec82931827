import { isRecord } from '../../../spec';
import { present, type Json } from '../spec/said';
import type { ForeignResource } from './foreign-state';

/** A guest as the state of another tool has it: where it is, and what nobody but that tool knows of it. */
export interface ForeignGuest extends Pick<ForeignResource, 'address' | 'block' | 'words' | 'doubt'> {
  vmid: number;
  node?: string;
  name?: string;
  macs: readonly string[];
  /** What it is made from, and what is done to it: fields of a machine that Proxmox does not hold. */
  intent: Json;
  /** What Proxmox says, too, by our names. */
  known: Readonly<Record<string, string | number | boolean>>;
}

/** The resources of a state that are guests, and those that are containers. */
export interface ForeignGuests {
  guests: readonly ForeignGuest[];
  /** Containers: no machines of ours. */
  containers: readonly string[];
  /** Guests whose number is none. */
  unnumbered: readonly string[];
}

/** Reads a guest of one provider's resource; undefined where it names no number. */
type Reader = (
  values: Json,
  all: readonly ForeignResource[],
) => Omit<ForeignGuest, 'address' | 'block' | 'words' | 'doubt'> | undefined;

const TYPES: Readonly<Record<string, Reader | 'container'>> = {
  proxmox_virtual_environment_vm: ofBpg,
  proxmox_virtual_environment_vm2: ofBpg,
  proxmox_virtual_environment_cloned_vm: ofBpg,
  proxmox_vm: ofBpg,
  proxmox_cloned_vm: ofBpg,
  proxmox_virtual_environment_container: 'container',
  proxmox_vm_qemu: ofTelmate,
  proxmox_lxc: 'container',
  proxmox_lxc_guest: 'container',
  'proxmoxve:VM/virtualMachine:VirtualMachine': ofPulumi,
  // since its version 8 (assumed: its changelog names them)
  'proxmoxve:index/vmLegacy:VmLegacy': ofPulumi,
  'proxmoxve:index/vm2Legacy:Vm2Legacy': ofPulumi,
  'proxmoxve:index/vm:Vm': ofPulumi,
  'proxmoxve:CT/container:Container': 'container',
};

/** The guests of a state, by the providers that are known. */
export function foreignGuests(resources: readonly ForeignResource[]): ForeignGuests {
  const unnumbered: string[] = [];
  const guests = resources.flatMap(({ type, values, ...held }): ForeignGuest[] => {
    const read = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    const guest = typeof read === 'function' ? read(values, resources) : undefined;
    if (typeof read === 'function' && guest === undefined) unnumbered.push(held.address);
    if (guest === undefined) return [];
    const { address, block, words, doubt } = held;
    return [{ address, block, words, ...(doubt !== undefined && { doubt }), ...guest }];
  });
  const doubtful = resources.filter(({ doubt }) => doubt !== undefined);
  const onTheirWayOut = new Set(doubtful.map(({ address }) => address));
  const containers = resources.filter(({ type }) => TYPES[type] === 'container');
  return {
    guests: guests.map(guest =>
      guest.doubt === undefined && onTheirWayOut.has(guest.address)
        ? { ...guest, doubt: 'an older one of it is still to be destroyed' }
        : guest,
    ),
    containers: containers.map(({ address }) => address),
    unnumbered,
  };
}

function ofPulumi(values: Json, all: readonly ForeignResource[]): ReturnType<Reader> {
  return ofBpg(inSnakeCase(values), all);
}

function ofBpg(values: Json, all: readonly ForeignResource[]): ReturnType<Reader> {
  const vmid = vmidIn(values['vm_id']) ?? vmidIn(values['id']);
  if (vmid === undefined) return undefined;
  const clone = firstOf(values['clone']);
  const template = clone && (numberIn(clone['vm_id']) ?? numberIn(clone['source_vm_id']));
  const macs = [
    ...list(values['network_device']).map(({ mac_address: mac }) => mac),
    ...listOfTexts(values['mac_addresses']),
  ];
  return {
    vmid,
    ...where(values['node_name'], values['name']),
    macs: addresses(macs),
    intent: present({
      image: template === undefined ? downloaded(values, all) : imageOf(template, clone?.['full']),
      restart: values['reboot_after_update'] === true ? 'whenNeeded' : undefined,
      shutdownTimeout: seconds(values['timeout_shutdown_vm'], 1_800),
    }),
    known: knownOf({
      'cpu.cores': numberIn(firstOf(values['cpu'])?.['cores']),
      'cpu.sockets': numberIn(firstOf(values['cpu'])?.['sockets']),
      'memory (MiB)': numberIn(firstOf(values['memory'])?.['dedicated']),
      running: values['started'],
    }),
  };
}

function ofTelmate(values: Json): ReturnType<Reader> {
  const [, node, number] = /^([^/]+)\/qemu\/(\d+)$/.exec(String(values['id'] ?? '')) ?? [];
  const vmid = vmidIn(number) ?? vmidIn(values['vmid']);
  if (vmid === undefined) return undefined;
  const template = numberIn(values['clone_id']) ?? (String(values['clone'] ?? '') || undefined);
  return {
    vmid,
    ...where(values['current_node'] ?? node ?? values['target_node'], values['name']),
    macs: addresses(list(values['network']).map(({ macaddr }) => macaddr)),
    intent: present({
      image: template === undefined ? undefined : imageOf(template, values['full_clone']),
      restart: values['automatic_reboot'] === true ? 'whenNeeded' : undefined,
    }),
    known: knownOf({
      'cpu.cores': numberIn(firstOf(values['cpu'])?.['cores'] ?? values['cores']),
      'cpu.sockets': numberIn(firstOf(values['cpu'])?.['sockets'] ?? values['sockets']),
      'memory (MiB)': numberIn(values['memory']),
    }),
  };
}

function imageOf(template: string | number, isFull: unknown): Json {
  return { template, ...(isFull === false && { clone: 'linked' }) };
}

const DOWNLOADS = [
  'proxmox_virtual_environment_download_file',
  'proxmox_download_file',
  'proxmoxve:Download/file:File',
  'proxmoxve:download/file:File',
];

/** The image that its first disk was imported from, where the same state downloaded it and knows its checksum. */
function downloaded({ disk }: Json, all: readonly ForeignResource[]): Json | undefined {
  const file = list(disk)
    .map(each => each['import_from'] || each['file_id'])
    .find(id => typeof id === 'string' && id !== '');
  const source = all.find(
    ({ type, values }) => DOWNLOADS.includes(type) && values['id'] === file && !isPacked(values),
  );
  if (file === undefined || source === undefined) return undefined;
  const { url, checksum, checksum_algorithm: algorithm } = inSnakeCase(source.values);
  const isKnown = typeof checksum === 'string' && checksum !== '' && typeof algorithm === 'string';
  return isKnown ? { url, checksum: `${algorithm}:${checksum}` } : undefined;
}

/** A node unpacked it: its checksum is that of another file. */
function isPacked(values: Json): boolean {
  const packed = values['decompression_algorithm'] ?? values['decompressionAlgorithm'];
  return typeof packed === 'string' && packed !== '';
}

function where(node: unknown, name: unknown): Pick<ForeignGuest, 'node' | 'name'> {
  return {
    ...(typeof node === 'string' && node !== '' && { node }),
    ...(typeof name === 'string' && name !== '' && { name }),
  };
}

function knownOf(values: Json): ForeignGuest['known'] {
  const entries = Object.entries(values).filter((entry): entry is [string, number | boolean] =>
    ['number', 'boolean'].includes(typeof entry[1]),
  );
  return Object.fromEntries(entries);
}

function seconds(value: unknown, usual: number): string | undefined {
  return typeof value === 'number' && value > 0 && value !== usual ? `${value}s` : undefined;
}

function addresses(macs: readonly unknown[]): string[] {
  const texts = macs.filter(mac => typeof mac === 'string').map(mac => mac.toUpperCase());
  return [...new Set(texts)].filter(mac => mac !== '' && mac !== '00:00:00:00:00:00');
}

function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : /^\d+$/.test(String(value ?? '')) ? Number(value) : NaN;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** The number of a guest. */
function vmidIn(value: unknown): number | undefined {
  const number = numberIn(value);
  return number !== undefined && number >= 100 && number <= 999_999_999 ? number : undefined;
}

/** A block of Terraform: a list of one, or an object where the provider is newer. */
function firstOf(value: unknown): Json | undefined {
  return Array.isArray(value) ? list(value)[0] : isRecord(value) ? value : undefined;
}

function list(value: unknown): Json[] {
  if (isRecord(value)) return Object.values(value).filter(isRecord);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function listOfTexts(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The names of Pulumi in those of Terraform: `nodeName` is `node_name`. It gives single blocks as objects. */
function inSnakeCase(value: Json): Json {
  const named = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  const deep = (inner: unknown): unknown =>
    Array.isArray(inner) ? inner.map(deep) : isRecord(inner) ? inSnakeCase(inner) : inner;
  const entries = Object.entries(value).map(([name, inner]) => [PLURALS[name] ?? named(name), deep(inner)]);
  return Object.fromEntries(entries);
}

const PLURALS: Readonly<Record<string, string>> = { disks: 'disk', networkDevices: 'network_device' };
