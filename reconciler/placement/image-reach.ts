import type { FleetMachine } from '../../spec';
import type { Configuration } from '../guest/configuration';
import { isCdrom, readDrive } from '../guest/drive';
import type { ListedGuest, ObservedNode } from '../observed';
import { isNodeKey } from '../guest/key-kinds';
import { DRIVE_KEYS } from '../guest/slot-names';
import type { PlacementFacts } from './placement-facts';

/** What a machine may be cloned from. */
export interface ImageSources {
  /** One, or its replicas on several nodes. None: the machine is no clone. */
  guests: ListedGuest[];
  /** The configuration of the first one, where it was read: needed to go to a node that has none. */
  config?: Configuration;
}

/** How a node gets the image: from a guest beside it, over shared storage, or by a full clone that then moves. */
export interface Reach {
  source?: ListedGuest;
  /** The source's configuration, where it was read, or is known before the source is made. */
  config?: Configuration;
  /** True: the clone is made beside its source, and goes to the node before anything else. */
  moves: boolean;
}

// pve-storage storage_migrate: what can be sent to another node
const SENDABLE = /^(?:dir|btrfs|zfspool|lvmthin|lvm)$/;

/** How a node gets the image of a machine, or why it does not. */
export function reach(
  machine: FleetMachine,
  node: ObservedNode,
  { guests, config }: ImageSources,
  { cluster }: PlacementFacts,
): Reach | string {
  const replica = guests.find(guest => guest.node === node.name);
  const source = replica ?? guests[0];
  if (!source) return { moves: false };
  if (replica) return { source, ...(config && replica === guests[0] && { config }), moves: false };
  const home = cluster.nodes.find(({ name }) => name === source.node);
  if (!home?.online) return `the template is on ${source.node}, which is offline`;
  if (!config) return `the template is on ${guests.map(guest => guest.node).join(', ')}`;
  // PVE makes a clone on another node only when all of the source is on shared storage, and so is what it fills
  const isThere = storagesOf(machine, config).every(name => storageOf(node, name) !== undefined);
  if (isThere && isOnShared(machine, config, home)) return { source, config, moves: false };
  const hindrance = cannotMove(machine, config, home, node);
  return hindrance === undefined
    ? { source, config, moves: true }
    : `the template is on ${source.node}, on storage that is not shared, and ${hindrance}`;
}

/** Whether other nodes than its own can have a clone of a source without a move. */
export function isOnShared(machine: FleetMachine, config: Configuration, home: ObservedNode): boolean {
  return storagesOf(machine, config).every(name => isShared(home, name));
}

function storagesOf({ disks = [] }: FleetMachine, config: Configuration): string[] {
  const wanted = disks.find(({ name }) => name === 'root')?.storage;
  return [...drives(config).map(({ storage }) => storage), ...(wanted === undefined ? [] : [wanted])];
}

/** Why a full clone that is made beside its source cannot go to another node while it is off. */
function cannotMove(
  { image, disks = [] }: FleetMachine,
  config: Configuration,
  home: ObservedNode,
  node: ObservedNode,
): string | undefined {
  if (image?.clone === 'linked') return 'a linked clone cannot leave it';
  const device = Object.entries(config).find(([key, value]) => isOfItsNode(key, value));
  if (device) return `its ${device[0]} belongs to that node`;
  const cd = drives(config).find(drive => drive.isCd && !isShared(home, drive.storage));
  if (cd) return `a CD of that node is in its ${cd.slot}`;
  const wanted = disks.find(({ name }) => name === 'root')?.storage;
  if (wanted !== undefined && !storageOf(home, wanted)) return `storage '${wanted}' is not there to clone to`;
  const filled = wanted ?? '';
  const volumes = drives(config).filter(drive => !drive.isCd);
  for (const name of new Set(volumes.map(({ storage }) => filled || storage))) {
    const storage = storageOf(node, name);
    if (!storage?.content.includes('images')) return `storage '${name}' is not on ${node.name}`;
    if (!storage.shared && !SENDABLE.test(storage.type))
      return `storage '${name}' (${storage.type}) sends nothing`;
  }
  return undefined;
}

/** Devices that PVE does not take to another node; mapped ones and sockets have no node. */
function isOfItsNode(key: string, value: string): boolean {
  return isNodeKey(key) && !/^(?:socket|spice)|(?:^|,)mapping=|host=spice/.test(value);
}

interface SourceDrive {
  slot: string;
  storage: string;
  isCd: boolean;
}

// one configuration is asked about for many machines and nodes
const DRIVES = new WeakMap<Configuration, SourceDrive[]>();

function drives(config: Configuration): SourceDrive[] {
  const known = DRIVES.get(config);
  if (known) return known;
  const read = DRIVE_KEYS.flatMap(slot => {
    const { storage } = readDrive(config[slot]);
    return storage === undefined ? [] : [{ slot, storage, isCd: isCdrom(config[slot]) }];
  });
  DRIVES.set(config, read);
  return read;
}

function isShared(node: ObservedNode, storage: string): boolean {
  return storageOf(node, storage)?.shared === true;
}

function storageOf({ storages }: ObservedNode, name: string) {
  return storages?.find(storage => storage.name === name && storage.active);
}
