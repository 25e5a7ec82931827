import { networkMapOf } from '../../../spec';
import { propertiesOf, type Configuration } from '../../guest/configuration';
import { DRIVE_SLOTS, NETWORK_SLOTS } from '../../guest/slot-names';
import { isCloudInit } from '../../guest/drive';
import { NETWORK } from '../../machine/parts/networks';
import { present, saidInside, type Json } from './said';

/** The cards by their slots, each with a name that says what it is connected to. */
export function networksOf(config: Configuration): Record<string, Json> {
  const taken = new Set<string>();
  const hasDrive = DRIVE_SLOTS.some(slot => isCloudInit(config[slot]));
  const slots = NETWORK_SLOTS.filter(slot => config[slot] !== undefined);
  return Object.fromEntries(
    slots.map(slot => {
      const { trunks, bridge, ...said } = saidInside(slot, NETWORK, config);
      const name = unlike(nameOf(bridge, said['vlan'], slot), taken);
      const addresses = hasDrive ? addressesOf(slot.replace('net', 'ipconfig'), config) : {};
      const passed = trunks === undefined ? {} : { trunks: String(trunks).split(';').filter(Boolean) };
      return [slot, { name, ...present({ bridge }), ...said, ...passed, ...addresses }];
    }),
  );
}

/** The first name of the bridge in the map that holds without a word, else its VLAN or the bridge itself. */
function nameOf(bridge: unknown, vlan: unknown, slot: string): string {
  if (vlan !== undefined) return `vlan${String(vlan)}`;
  const known = Object.entries(networkMapOf({}))
    .filter(([, to]) => to === bridge)
    .map(([name]) => name);
  const named = ['lan', 'dmz', 'management'].find(name => known.includes(name));
  const label = String(bridge ?? '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return named ?? (label === '' ? slot : label);
}

/** The name, or the name with the next number that nobody has. */
export function unlike(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}-${number}`;
  taken.add(free.toLowerCase());
  return free;
}

function addressesOf(key: string, config: Configuration): Json {
  const { ip, gw, ip6, gw6 } = propertiesOf(key, config[key]);
  return present({ ipv4: addressOf(ip, gw), ipv6: addressOf(ip6, gw6) });
}

function addressOf(address: unknown, gateway: unknown): unknown {
  const isWord = address === undefined || address === 'dhcp' || address === 'auto';
  return isWord ? address : { address, ...present({ gateway }) };
}

/** Bridges whose name the map would take for another one. They stand in it as themselves. */
export function mapFor(bridges: readonly string[]): Record<string, string> {
  const map = networkMapOf({});
  const other = bridges.filter(bridge => Object.hasOwn(map, bridge) && map[bridge] !== bridge);
  return Object.fromEntries(other.map(bridge => [bridge, bridge]));
}
