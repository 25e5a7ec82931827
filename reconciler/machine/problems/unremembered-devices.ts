import { untouched } from '../../action';
import { isDisk, readDrive } from '../../guest/drive';
import { propertiesOf } from '../../guest/configuration';
import { DRIVE_SLOTS, NETWORK_SLOTS } from '../../guest/slot-names';
import { isUnremembered } from '../device-slots';
import { knownDisks, knownNetworks } from '../known-devices';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/**
 * Disks of a guest that is to be taken over, of which nothing tells which one they are: a new, empty one would be made
 * beside the one that is meant.
 */
export function unrememberedDisks({ spec, origin, next, running, mark, vmid }: Scene): Problem[] {
  if (spec.disks === undefined || !isUnremembered(origin, mark?.disks)) return [];
  const config = { ...running, ...next };
  const known = knownDisks(spec, config);
  if (!('doubtful' in known)) return [];
  const there = DRIVE_SLOTS.filter(slot => isDisk(config[slot])).map(
    slot => `${slot} (${readDrive(config[slot]).file})`,
  );
  return known.doubtful.map(name => {
    const detail = `nothing tells which of the disks of VM ${vmid} is disk "${name}", or whether it is a new one: not exactly one that is left has its type, size and storage. VM ${vmid} has ${there.join(', ')}.`;
    const remedy = `Give disks[${name}] its slot in the spec: the slot of that disk, or a free one for a new disk. You may remove it again after the apply.`;
    return { field: `disks[${name}]`, ...untouched('which-device', detail, remedy) };
  });
}

/** The same of its cards: the wrong one would be taken to another bridge, and lose its address. */
export function unrememberedCards(scene: Scene): Problem[] {
  const { spec, origin, next, running, mark, vmid, context } = scene;
  if (spec.networks === undefined || !isUnremembered(origin, mark?.networks)) return [];
  const config = { ...running, ...next };
  const known = knownNetworks(spec, config, context);
  if (!('doubtful' in known)) return [];
  const there = NETWORK_SLOTS.filter(slot => config[slot] !== undefined).map(slot => {
    const { macaddr, bridge, tag } = propertiesOf(slot, config[slot]);
    const vlan = tag === undefined ? '' : `, VLAN ${String(tag)}`;
    return `${slot} (${String(macaddr)}, ${String(bridge)}${vlan})`;
  });
  // without `networks` nothing of them is remembered, and cards are taken in their order later
  const isNoneLeft = known.doubtful.length === spec.networks.length;
  const leaveOut = isNoneLeft ? 'leave it out, with "networks: []" where no other is left' : 'leave it out';
  return known.doubtful.map(name => {
    const mac = spec.networks?.find(network => network.name === name)?.macAddress;
    const why =
      mac === undefined
        ? 'not exactly one that is left has its bridge and VLAN'
        : `none has its macAddress ${mac}`;
    const detail = `nothing tells which of the network cards of VM ${vmid} is network "${name}": ${why}. VM ${vmid} has ${there.join(', ')}.`;
    const remedy = `Give networks[${name}] in the spec the macAddress of that card; you may remove it again after the apply. A network that is new to the guest: ${leaveOut}, apply, then add it.`;
    return { field: `networks[${name}]`, ...untouched('which-device', detail, remedy) };
  });
}
