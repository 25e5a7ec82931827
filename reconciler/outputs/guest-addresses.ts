import { isInSubnet, parseAddress, parseCidr } from '../../spec';
import type { GuestInterfaces } from '../pve';

const LOCAL = ['127.0.0.0/8', '169.254.0.0/16', '::1/128', 'fe80::/10'];

export interface AddressFilter {
  family?: 'ipv4' | 'ipv6' | undefined;
  interface?: string | undefined;
  cidr?: string | undefined;
}

/**
 * The addresses that the agent tells, without loopback and link-local: first those of the guest's own cards in their
 * order, then what the guest made itself; IPv4 before IPv6.
 */
export function guestAddresses(
  interfaces: GuestInterfaces,
  macAddresses: readonly string[],
  filter: AddressFilter = {},
): string[] {
  const rank = (mac: string | undefined): number => {
    const index = macAddresses.findIndex(known => known.toLowerCase() === mac?.toLowerCase());
    return index < 0 ? macAddresses.length : index;
  };
  const ordered = [...interfaces].sort(
    (one, other) => rank(one['hardware-address']) - rank(other['hardware-address']),
  );
  const addresses = ordered
    .filter(({ name }) => filter.interface === undefined || name === filter.interface)
    .flatMap(({ 'ip-addresses': all = [] }) => byFamily(all.map(address => address['ip-address'])));
  return [...new Set(addresses)].filter(
    address => isAddress(address) && !isLocal(address) && fits(address, filter),
  );
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
