import { diskType, type DiskSpec, type MachineSpec, type NetworkSpec } from '../../spec';
import { propertiesOf, type Configuration } from '../guest/configuration';
import { isDisk } from '../guest/drive';
import { bootDiskSlot, NETWORK_SLOTS, slotsOf } from '../guest/slot-names';
import { knownDisks, knownNetworks } from './known-devices';
import type { Origin, PlanContext } from './plan-context';

/** Device name to slot. */
type Slots = Record<string, string>;

/** The slot of each disk of the spec, and of the remembered disks that it does not name any more. */
export function diskSlots(
  { disks: said }: MachineSpec,
  config: Configuration,
  known: Slots | undefined,
  origin: Origin,
): { disks: Slots; goneDisks: Slots } {
  const remembered = known ?? {};
  // a spec without `disks` manages none: what is remembered stays remembered
  if (!said) return { disks: remembered, goneDisks: {} };
  const isFree = freeIn(config, remembered);
  const like = isUnremembered(origin, known) ? disksByLikeness(said, config) : {};
  const disks = assigned(said, [
    // slots in the mark are hints after a rollback; a drive that is there is a fact
    ({ name }) => [remembered[name]].filter(slot => isDisk(config[slot ?? ''])),
    ({ slot }) => [slot],
    ({ name }) => [remembered[name]],
    // `root` is the disk that the image brought: the first disk that the guest boots from
    ({ name }) => (name === 'root' && origin !== 'blank' ? [bootDiskSlot(config)] : []),
    ({ name }) => [like[name]],
    disk => candidates(disk).filter(isFree),
  ]);
  return { disks, goneDisks: goneOf(said, disks, remembered) };
}

/** Whether a guest is taken over, and nobody remembers which disk is which. */
export function isUnremembered(origin: Origin, known: Slots | undefined): boolean {
  return known === undefined && origin === 'adopted';
}

/** Where likeness does not tell, problems/unremembered-devices.ts refuses it. */
function disksByLikeness(disks: readonly DiskSpec[], config: Configuration): Slots {
  const known = knownDisks({ disks: [...disks] }, config);
  return 'slots' in known ? known.slots : {};
}

/** The same of cards: in their order they would be those of others, and be moved to the bridges of others. */
function networksByLikeness(
  networks: NetworkSpec[],
  config: Configuration,
  clusterSpec: PlanContext['clusterSpec'],
): Slots {
  const known = knownNetworks({ networks }, config, { clusterSpec });
  return 'slots' in known ? known.slots : {};
}

// ide2 last: installers and cloud-init drives are expected there
function candidates(disk: DiskSpec): string[] {
  const slots = slotsOf(diskType(disk));
  return [...slots.filter(slot => slot !== 'ide2'), ...slots.filter(slot => slot === 'ide2')];
}

/** The slot of each network of the spec; those remembered that it does not name; those that an image brought too many. */
export function networkSlots(
  { networks: said }: MachineSpec,
  config: Configuration,
  remembered: Slots | undefined,
  { origin, clusterSpec }: { origin: Origin } & Pick<PlanContext, 'clusterSpec'>,
): { networks: Slots; goneNetworks: Slots; spareNetworks: string[] } {
  if (!said) return { networks: remembered ?? {}, goneNetworks: {}, spareNetworks: [] };
  const isTakenOver = isUnremembered(origin, remembered);
  const like = isTakenOver ? networksByLikeness(said, config, clusterSpec) : {};
  // nothing is remembered: the cards that are there are the spec's, by address and then in order
  const isInOrder = remembered === undefined && !isTakenOver;
  const brought = isInOrder ? NETWORK_SLOTS.filter(slot => config[slot] !== undefined) : [];
  const networks = assigned(said, [
    ({ name }) => [remembered?.[name]],
    ({ name }) => [like[name]],
    network => brought.filter(slot => hasAddress(config[slot], network)),
    () => brought,
    () => NETWORK_SLOTS.filter(freeIn(config, remembered)),
  ]);
  const taken = Object.values(networks);
  const spareNetworks = origin === 'cloned' ? brought.filter(slot => !taken.includes(slot)) : [];
  return { networks, goneNetworks: goneOf(said, networks, remembered), spareNetworks };
}

function hasAddress(text: string | undefined, { macAddress }: NetworkSpec): boolean {
  const { macaddr } = propertiesOf('net0', text);
  return macAddress !== undefined && String(macaddr).toUpperCase() === macAddress;
}

/** Gives each device a slot that no other has: the first one that the first rule names which names any. */
function assigned<D extends { name: string }>(
  devices: readonly D[],
  rules: readonly ((device: D) => readonly (string | undefined)[])[],
): Slots {
  const slots: Slots = {};
  for (const rule of rules) {
    for (const device of devices.filter(({ name }) => slots[name] === undefined)) {
      const taken = Object.values(slots);
      const slot = rule(device).find(one => one !== undefined && !taken.includes(one));
      if (slot !== undefined) slots[device.name] = slot;
    }
  }
  return slots;
}

function freeIn(config: Configuration, remembered: Slots = {}): (slot: string) => boolean {
  const kept = Object.values(remembered);
  return slot => config[slot] === undefined && !kept.includes(slot);
}

function goneOf(said: readonly { name: string }[], slots: Slots, remembered: Slots = {}): Slots {
  const taken = Object.values(slots);
  const gone = Object.entries(remembered).filter(
    ([name, slot]) => !said.some(device => device.name === name) && !taken.includes(slot),
  );
  return Object.fromEntries(gone);
}
