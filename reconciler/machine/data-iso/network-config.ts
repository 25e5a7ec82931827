import { parseCidr, type MachineSpec, type NetworkSpec } from '../../../spec';

/** A card of a guest as it is or will be. */
export interface Card {
  network: NetworkSpec;
  /** `net0` is card 0. */
  index: number;
  mac: string;
}

type Dns = NonNullable<NonNullable<MachineSpec['cloudInit']>['dns']>;
type StaticIp = { address: string; gateway?: string | undefined };

/** What a guest is told of its cards, in the network configuration of version 2. Undefined: no card says an address. */
export function networkConfig(cards: readonly Card[], dns: Dns = {}): Record<string, unknown> | undefined {
  if (!cards.some(({ network }) => hasAddresses(network))) return undefined;
  const sorted = [...cards].sort((one, other) => one.index - other.index);
  // Proxmox's own drive gives these names too
  const ethernets = sorted.map(card => [`eth${card.index}`, ethernet(card, dns)] as const);
  return { version: 2, ethernets: Object.fromEntries(ethernets) };
}

/** Whether a network says anything that only cloud-init can do. */
export function hasAddresses({ staticIP, ipv4, ipv6 }: NetworkSpec): boolean {
  return staticIP !== undefined || ipv4 !== undefined || ipv6 !== undefined;
}

function ethernet({ network, index, mac }: Card, dns: Dns): Record<string, unknown> {
  const { ipv4, ipv6, staticIP } = network;
  const fixed = [ipv4, ipv6, staticIP].filter(isStatic);
  const addresses = fixed.map(({ address }) => address);
  const servers = [...new Set([...(dns.servers ?? []), ...(staticIP?.dns ?? [])])];
  const nameservers = {
    ...(servers.length === 0 ? {} : { addresses: servers }),
    ...(dns.search === undefined || dns.search.length === 0 ? {} : { search: dns.search }),
  };
  return {
    match: { macaddress: mac.toLowerCase() },
    'set-name': `eth${index}`,
    dhcp4: ipv4 === 'dhcp',
    dhcp6: ipv6 === 'dhcp',
    ...(ipv6 === 'auto' ? { 'accept-ra': true } : {}),
    ...(addresses.length === 0 ? {} : { addresses }),
    ...fixed.reduce((all, one) => ({ ...all, ...gatewayOf(one) }), {}),
    ...(hasAddresses(network) && Object.keys(nameservers).length > 0 ? { nameservers } : {}),
  };
}

function isStatic(value: StaticIp | string | undefined): value is StaticIp {
  return typeof value === 'object';
}

/**
 * The way out. Before 23.1 cloud-init does not know the word "default", and makes ::/64 of a route to ::/0; 23.3 gives
 * that route to IPv4 for NetworkManager (canonical/cloud-init#4600, #4518). `gateway6` is deprecated, and right in all.
 */
function gatewayOf({ address, gateway }: StaticIp): Record<string, unknown> {
  if (gateway === undefined) return {};
  if (parseCidr(address)?.family === 'ipv6') return { gateway6: gateway };
  return { routes: [{ to: '0.0.0.0/0', via: gateway }] };
}
