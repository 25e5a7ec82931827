import { isInSubnet, parseAddress, parseCidr } from '../../spec';
import type { GuestInterfaces } from '../pve';

const LOCAL = ['127.0.0.0/8', '169.254.0.0/16', '::1/128', 'fe80::/10'];

export interface AddressFilter {
  family?: 'ipv4' | 'ipv6' | undefined;
  interface?: string | undefined;
  cidr?: string | undefined;
}

/** What programs make in a guest for other guests and containers: bridges, and the cards on them. */
const FOR_OTHERS = /^(?:docker|podman|virbr|lxcbr|lxdbr|veth|cni|cali|flannel|br-[0-9a-f]{12}$)/;

/**
 * The addresses of the guest's own cards that the agent tells, without loopback and link-local: in the order of the cards,
 * IPv4 before IPv6. A filter that names an interface takes that one, whoever made it.
 */
export function guestAddresses(
  interfaces: GuestInterfaces,
  macAddresses: readonly string[],
  filter: AddressFilter = {},
): string[] {
  const addresses = shown(interfaces, macAddresses, filter).flatMap(({ 'ip-addresses': all = [] }) =>
    byFamily(all.map(address => address['ip-address'])),
  );
  return [...new Set(addresses)].filter(
    address => isAddress(address) && !isLocal(address) && fits(address, filter),
  );
}

function shown(
  interfaces: GuestInterfaces,
  macAddresses: readonly string[],
  { interface: asked }: AddressFilter,
): GuestInterfaces {
  if (asked !== undefined) return interfaces.filter(({ name }) => name === asked);
  const rank = ({ 'hardware-address': mac }: GuestInterfaces[number]): number =>
    macAddresses.findIndex(known => known.toLowerCase() === mac?.toLowerCase());
  // bonds, bridges and VLANs over a card have its MAC address
  const own = interfaces.filter(each => rank(each) >= 0).sort((one, other) => rank(one) - rank(other));
  if (own.some(({ 'ip-addresses': all = [] }) => all.length > 0)) return own;
  const others = interfaces.filter(({ name }) => !FOR_OTHERS.test(name));
  // the guest gave its cards other MAC addresses: nothing tells them
  if (own.length === 0) return others;
  // its cards are in a bridge, which has a MAC address of its own (systemd 242 and newer); a tunnel has none
  return others.filter(({ 'hardware-address': mac = '' }) => /[1-9a-f]/i.test(mac));
}

function byFamily(addresses: string[]): string[] {
  const isV6 = (address: string): number => (address.includes(':') ? 1 : 0);
  return [...addresses].sort((one, other) => isV6(one) - isV6(other));
}

/** What the guest says is not always one. */
function isAddress(text: string): boolean {
  const [address = '', zone, ...more] = text.split('%');
  const isPlain =
    zone === undefined || (address.includes(':') && more.length === 0 && /^[\w.-]{1,32}$/.test(zone));
  return isPlain && parseAddress(address) !== undefined;
}

function isLocal(address: string): boolean {
  return LOCAL.some(subnet => isWithin(address, subnet));
}

function fits(address: string, { family, cidr }: AddressFilter): boolean {
  const kind = address.includes(':') ? 'ipv6' : 'ipv4';
  return (family === undefined || family === kind) && (cidr === undefined || isWithin(address, cidr));
}

function isWithin(address: string, subnet: string): boolean {
  // the agent of a Windows guest adds the zone: fe80::1%12
  const parsed = parseAddress(address.replace(/%.*$/, ''));
  const network = parseCidr(subnet);
  return parsed !== undefined && network !== undefined && isInSubnet(parsed, network);
}
