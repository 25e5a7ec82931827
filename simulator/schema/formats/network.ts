import { isIPv4, isIPv6 } from 'node:net';

/** What is wrong with a value, or undefined. */
export type CodeFormat = (value: string) => string | undefined;

const DNS_LABEL = '[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?';
const DNS_NAME = new RegExp(`^(${DNS_LABEL}\\.)*${DNS_LABEL}\\n?$`);

/** A format that is a test and a text. */
export function format(
  passes: RegExp | ((value: string) => boolean),
  text: string | ((value: string) => string),
): CodeFormat {
  const test = typeof passes === 'function' ? passes : (value: string): boolean => passes.test(value);
  return value => (test(value) ? undefined : typeof text === 'string' ? text : text(value));
}

const isIp = (value: string): boolean => isIPv4(value) || (isIPv6(value) && !value.includes('%'));

function isCidr(value: string, family: 4 | 6): boolean {
  const [address = '', bits] = value.split('/');
  if (bits === undefined || !/^\d+$/.test(bits) || value.split('/').length !== 2) return false;
  const known = family === 4 ? isIPv4(address) : isIp(address) && !isIPv4(address);
  return known && Number(bits) > 7 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** An address with or without a prefix length, as the firewall takes it. */
const isAddress = (value: string): boolean => {
  const [address = '', bits = '0', ...rest] = value.split('/');
  return rest.length === 0 && isIp(address) && /^\d+$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
};

const isNetmask = (value: string): boolean =>
  isIPv4(value) &&
  /^1*0*$/.test(
    value
      .split('.')
      .map(octet => Number(octet).toString(2).padStart(8, '0'))
      .join(''),
  );

function wrongVlan(value: string): string | undefined {
  const [whole, start, end] = /^(\d+)(?:-(\d+))?$/.exec(value) ?? [];
  if (whole === undefined) return `invalid VLAN configuration '${value}'`;
  const bad = [start, end].find(tag => tag !== undefined && (Number(tag) < 2 || Number(tag) > 4094));
  if (bad !== undefined) return `invalid VLAN tag '${bad}'`;
  if (end === undefined || Number(start) < Number(end)) return undefined;
  return `VLAN range must go from lower to higher tag '${value}'`;
}

/** Formats of addresses and networks, with Proxmox's texts. */
export const NETWORK_FORMATS: Record<string, CodeFormat> = {
  ip: format(isIp, 'value does not look like a valid IP address'),
  ipv4: format(isIPv4, 'value does not look like a valid IPv4 address'),
  ipv6: format(value => isIp(value) && !isIPv4(value), 'value does not look like a valid IPv6 address'),
  ipv4mask: format(isNetmask, 'value does not look like a valid IP netmask'),
  CIDR: format(
    value => isCidr(value, 4) || isCidr(value, 6),
    'value does not look like a valid CIDR network',
  ),
  CIDRv4: format(value => isCidr(value, 4), 'value does not look like a valid IPv4 CIDR network'),
  CIDRv6: format(value => isCidr(value, 6), 'value does not look like a valid IPv6 CIDR network'),
  'pve-ipv4-config': format(
    value => /^(dhcp|manual)$/.test(value) || isCidr(value, 4),
    'value does not look like a valid ipv4 network configuration',
  ),
  'pve-ipv6-config': format(
    value => /^(auto|dhcp|manual)$/.test(value) || isCidr(value, 6),
    'value does not look like a valid ipv6 network configuration',
  ),
  IPorCIDR: format(isAddress, 'value does not look like a valid IP address or CIDR network'),
  IPorCIDRorAlias: format(
    value => /^[A-Za-z][A-Za-z0-9\-_]+$/.test(value) || isAddress(value),
    'value does not look like a valid IP address or CIDR network',
  ),
  'mac-addr': format(
    /^[a-f0-9][02468ace](?::[a-f0-9]{2}){5}\n?$/i,
    'value does not look like a valid unicast MAC address',
  ),
  'mac-prefix': format(
    /^[a-f0-9][02468ace](?::[a-f0-9]{2}){0,2}:?\n?$/i,
    'value is not a valid unicast MAC address prefix',
  ),
  'dns-name': format(DNS_NAME, 'value does not look like a valid DNS name'),
  address: format(
    value => isIp(value) || DNS_NAME.test(value),
    value => `value does not look like a valid address: ${value}`,
  ),
  'pve-iface': format(
    /^[a-z][a-z0-9_]{1,20}([:.]\d+)?\n?$/i,
    value => `invalid network interface name '${value}'`,
  ),
  'pve-bridge-id': format(/^[-_.\w]+\n?$/, value => `invalid bridge ID '${value}'`),
  'pve-vlan-id-or-range': wrongVlan,
  'pve-storage-server': format(
    value => isIp(value) || DNS_NAME.test(value),
    'value does not look like a valid server name or IP address',
  ),
  'pve-storage-portal-dns': format(
    value => isIp(value.replace(/:\d+$/, '')) || DNS_NAME.test(value.replace(/:\d+$/, '')),
    'value does not look like a valid portal address',
  ),
};
