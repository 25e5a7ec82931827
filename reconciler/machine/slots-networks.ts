import type { MachineSpec, NetworkSpec } from '../../spec';
import { propertiesOf, type Configuration } from '../guest/configuration';
import type { Origin } from './plan-context';
import { NETWORK_SLOTS } from '../guest/slot-names';

interface NetworkSlots {
  networks: Record<string, string>;
  goneNetworks: Record<string, string>;
  spareNetworks: string[];
}

/** The slot of each network of the spec; those remembered that it does not name; those that an image brought too many. */
export function networkSlots(
  spec: MachineSpec,
  config: Configuration,
  remembered: Record<string, string> | undefined,
  origin: Origin,
): NetworkSlots {
  if (!spec.networks) return { networks: remembered ?? {}, goneNetworks: {}, spareNetworks: [] };
  const said = spec.networks;
  const networks: Record<string, string> = {};
  const isTaken = (slot: string): boolean => Object.values(networks).includes(slot);
  for (const { name } of said) {
    const slot = remembered?.[name];
    if (slot !== undefined) networks[name] = slot;
  }
  // Nothing is remembered: the cards that are there are the spec's, by address and then in order
  const brought = remembered === undefined ? NETWORK_SLOTS.filter(slot => config[slot] !== undefined) : [];
  for (const network of said) {
    const slot = brought.find(there => !isTaken(there) && hasAddress(config[there], network));
    if (slot !== undefined) networks[network.name] = slot;
  }
  const isFree = (slot: string): boolean =>
    config[slot] === undefined && !isTaken(slot) && !Object.values(remembered ?? {}).includes(slot);
  for (const { name } of said) {
    if (networks[name] !== undefined) continue;
    const slot = brought.find(there => !isTaken(there)) ?? NETWORK_SLOTS.find(isFree);
    if (slot !== undefined) networks[name] = slot;
  }
  const names = said.map(({ name }) => name);
  const gone = Object.entries(remembered ?? {}).filter(([name]) => !names.includes(name));
  const spare = origin === 'cloned' ? brought.filter(slot => !isTaken(slot)) : [];
  return { networks, goneNetworks: Object.fromEntries(gone), spareNetworks: spare };
}

function hasAddress(text: string | undefined, { macAddress }: NetworkSpec): boolean {
  const { macaddr } = propertiesOf('net0', text);
  return macAddress !== undefined && String(macaddr).toUpperCase() === macAddress;
}
