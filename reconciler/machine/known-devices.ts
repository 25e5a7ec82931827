import { bridgeOf, diskType, type DiskSpec, type MachineSpec, type NetworkSpec } from '../../spec';
import { propertiesOf, type Configuration } from '../guest/configuration';
import { isDisk, readDrive } from '../guest/drive';
import { busOf, bootDiskSlot, DRIVE_SLOTS, NETWORK_SLOTS } from '../guest/slot-names';
import type { PlanContext } from './plan-context';

/** Device name to slot, or the devices of which nothing tells which one they are. */
export type KnownDevices = { slots: Record<string, string> } | { doubtful: readonly string[] };

/**
 * Which disk of a guest is which of the spec, where nobody remembers it: by its slot, `root` by the boot order, any other
 * only where exactly one is like it. A disk that is new to the spec has none. Never guesses: a wrong one would be grown, or
 * deleted some day. Pure.
 */
export function knownDisks({ disks = [] }: Pick<MachineSpec, 'disks'>, config: Configuration): KnownDevices {
  const there = DRIVE_SLOTS.filter(slot => isDisk(config[slot]));
  const fixed = new Map<string, string>();
  const saidOf = ({ slot, existingVolume }: DiskSpec): string | undefined =>
    slot ?? there.find(at => existingVolume !== undefined && fileIn(config, at) === existingVolume);
  const said = disks.map(saidOf);
  const boots = bootDiskSlot(config);
  disks.forEach(({ name }, index) => {
    // one that another disk says it has is not that of `root`
    const at = said[index] ?? (name === 'root' && !said.includes(boots) ? boots : undefined);
    if (at !== undefined && there.includes(at)) fixed.set(name, at);
  });
  const isLike = (disk: DiskSpec, slot: string): boolean => isLikeDisk(disk, slot, config[slot]);
  const isOpen = ({ name, slot, existingVolume }: DiskSpec): boolean =>
    !fixed.has(name) && slot === undefined && existingVolume === undefined;
  const open = disks.filter(isOpen);
  return matched(fixed, open, there, isLike);
}

/**
 * The same of its cards: by their addresses; without one said, where exactly one is like it; or both are the only ones. An
 * address that no card has may be that of a new one. Pure.
 */
export function knownNetworks(
  { networks = [] }: Pick<MachineSpec, 'networks'>,
  config: Configuration,
  { clusterSpec }: Pick<PlanContext, 'clusterSpec'>,
): KnownDevices {
  const there = NETWORK_SLOTS.filter(slot => config[slot] !== undefined);
  const fixed = new Map<string, string>();
  for (const { name, macAddress } of networks) {
    const at = there.find(slot => macAddress !== undefined && cardOf(config, slot).mac === macAddress);
    if (at !== undefined) fixed.set(name, at);
  }
  const open = networks.filter(({ name }) => !fixed.has(name));
  const isOnly = networks.length === 1 && there.length === 1;
  const isLike = (network: NetworkSpec, slot: string): boolean => {
    const { bridge, vlan } = cardOf(config, slot);
    const said = bridgeOf(network, clusterSpec);
    const isThere = (said === undefined || said === bridge) && network.vlan === vlan;
    return isOnly || (network.macAddress === undefined && isThere);
  };
  return matched(fixed, open, there, isLike);
}

/** Gives each device the one slot that is like it and like no other device. Without any slot left, it is new. */
function matched<D extends { name: string }>(
  fixed: ReadonlyMap<string, string>,
  open: readonly D[],
  there: readonly string[],
  isLike: (device: D, slot: string) => boolean,
): KnownDevices {
  const left = there.filter(slot => ![...fixed.values()].includes(slot));
  if (left.length === 0) return { slots: Object.fromEntries(fixed) };
  const found = open.map(device => [device, left.filter(slot => isLike(device, slot))] as const);
  const isSure = (slots: readonly string[]): boolean =>
    slots.length === 1 && found.filter(([, others]) => others.includes(slots[0] ?? '')).length === 1;
  const doubtful = found.filter(([, slots]) => !isSure(slots)).map(([{ name }]) => name);
  if (doubtful.length > 0) return { doubtful };
  return { slots: Object.fromEntries([...fixed, ...found.map(([{ name }, [slot = '']]) => [name, slot])]) };
}

function isLikeDisk(disk: DiskSpec, slot: string, text: string | undefined): boolean {
  const { bytes, storage } = readDrive(text);
  const isOfStorage = disk.storage === undefined || disk.storage === storage;
  const isOfSize = disk.size === undefined || disk.size === bytes;
  return busOf(slot) === diskType(disk) && isOfStorage && isOfSize;
}

function fileIn(config: Configuration, slot: string): string {
  return readDrive(config[slot]).file;
}

function cardOf(config: Configuration, slot: string): { mac: string; bridge: unknown; vlan: unknown } {
  const { macaddr, bridge, tag } = propertiesOf('net0', config[slot]);
  return { mac: String(macaddr).toUpperCase(), bridge, vlan: tag };
}
