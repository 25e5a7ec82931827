import { present, type Json } from '../spec/said';
import { firstOf, inSnakeCase, list } from './blocks';
import type { ForeignResource } from './foreign-state';
import { cloudInitFiles, downloaded } from './origin';

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
  /** What the state has of it, and the program does not take. */
  notTaken: readonly string[];
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
  const guests = resources.flatMap(({ type, values, schema, ...held }): ForeignGuest[] => {
    const read = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    const guest = typeof read === 'function' ? believed(read(values, resources), type, schema) : undefined;
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

/** The newest form of each resource that was read; a later one may mean something else by the same words. */
const NEWEST_OF_BPG = 0;

function believed(guest: ReturnType<Reader>, type: string, schema = 0): ReturnType<Reader> {
  if (guest === undefined || TYPES[type] !== ofBpg || schema <= NEWEST_OF_BPG) return guest;
  const why = `its entry has schema_version ${schema}, and none above ${NEWEST_OF_BPG} is known: nothing but number, name and MAC addresses is taken from it`;
  return { ...guest, intent: {}, known: {}, notTaken: [why] };
}

function ofPulumi(values: Json, all: readonly ForeignResource[]): ReturnType<Reader> {
  return ofBpg(inSnakeCase(values), all);
}

function ofBpg(values: Json, all: readonly ForeignResource[]): ReturnType<Reader> {
  const vmid = vmidIn(values['vm_id']) ?? vmidIn(values['id']);
  if (vmid === undefined) return undefined;
  const [clone, memory] = [firstOf(values['clone']), firstOf(values['memory'])];
  const template = clone && (numberIn(clone['vm_id']) ?? numberIn(clone['source_vm_id']));
  const image = template === undefined ? downloaded(values, all) : undefined;
  const macs = [
    ...list(values['network_device']).map(({ mac_address: mac }) => mac),
    ...list(values['network']).map(({ mac_address: mac }) => mac),
    ...listOfTexts(values['mac_addresses']),
  ];
  return {
    vmid,
    ...where(values['node_name'], values['name']),
    macs: addresses(macs),
    intent: present({
      image: template === undefined ? image?.image : imageOf(template, clone?.['full']),
      restart: values['reboot_after_update'] === true ? 'whenNeeded' : undefined,
      shutdownTimeout: seconds(values['timeout_shutdown_vm'], 1_800),
    }),
    known: knownOf({
      'cpu.cores': numberIn(firstOf(values['cpu'])?.['cores']),
      'cpu.sockets': numberIn(firstOf(values['cpu'])?.['sockets']),
      'memory (MiB)': numberIn(memory?.['dedicated'] ?? memory?.['size']),
      running: values['started'],
    }),
    notTaken: [...(image?.notTaken ?? []), ...cloudInitFiles(values, all)],
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
    notTaken: [],
  };
}

function imageOf(template: string | number, isFull: unknown): Json {
  return { template, ...(isFull === false && { clone: 'linked' }) };
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

function listOfTexts(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
