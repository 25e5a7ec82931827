import { tryPropertyString } from '../../schema/property-string';
import { RESOLVER } from '../../cluster/dns';
import type { Config } from '../../world';
import { isNetKey, parseNet } from '../keys/net';

interface Card {
  index: string;
  mac: string;
  ip: Record<string, string>;
}

/** The network part of a nocloud image: version 1, each card by its MAC, then the name servers. */
export function nocloudNetwork(config: Config): string {
  const cards = cardsOf(config).flatMap(({ index, mac, ip }) => [
    '    - type: physical',
    `      name: eth${index}`,
    `      mac_address: '${mac.toLowerCase()}'`,
    '      subnets:',
    ...subnet4(ip).map(line => `      ${line}`),
    ...subnet6(ip).map(line => `      ${line}`),
  ]);
  const { servers, domains } = dnsOf(config);
  const dns = [
    '    - type: nameserver',
    ...(servers.length > 0 ? ['      address:', ...servers.map(server => `      - '${server}'`)] : []),
    ...(domains.length > 0 ? ['      search:', ...domains.map(domain => `      - '${domain}'`)] : []),
  ];
  return ['version: 1', 'config:', ...cards, ...dns].map(line => `${line}\n`).join('');
}

function subnet4({ ip, gw }: Record<string, string>): string[] {
  if (ip === undefined) return [];
  if (ip === 'dhcp') return ['- type: dhcp4'];
  const { address, mask } = split4(ip);
  const gateway = gw === undefined ? [] : [`  gateway: '${gw}'`];
  return ['- type: static', `  address: '${address}'`, `  netmask: '${mask}'`, ...gateway];
}

function subnet6({ ip6, gw6 }: Record<string, string>): string[] {
  if (ip6 === undefined) return [];
  if (ip6 === 'dhcp') return ['- type: dhcp6'];
  if (ip6 === 'auto') return ['- type: ipv6_slaac'];
  const gateway = gw6 === undefined ? [] : [`  gateway: '${gw6}'`];
  return ['- type: static6', `  address: '${ip6}'`, ...gateway];
}

/** The network part of a config drive: the old interfaces file. */
export function eniNetwork(config: Config): string {
  const { servers, domains } = dnsOf(config);
  const lines = ['auto lo', 'iface lo inet loopback', ''];
  if (servers.length > 0) lines.push(`        dns_nameservers ${servers.join(' ')}`);
  if (domains.length > 0) lines.push(`        dns_search ${domains.join(' ')}`);
  for (const { index, ip } of cardsOf(config)) {
    lines.push(`auto eth${index}`, ...eni4(`eth${index}`, ip), ...eni6(`eth${index}`, ip));
  }
  return lines.map(line => `${line}\n`).join('');
}

function eni4(name: string, { ip, gw }: Record<string, string>): string[] {
  if (ip === undefined) return [];
  if (ip === 'dhcp') return [`iface ${name} inet dhcp`];
  const { address, mask } = split4(ip);
  const gateway = gw === undefined ? [] : [`        gateway ${gw}`];
  return [`iface ${name} inet static`, `        address ${address}`, `        netmask ${mask}`, ...gateway];
}

function eni6(name: string, { ip6, gw6 }: Record<string, string>): string[] {
  if (ip6 === undefined) return [];
  if (ip6 === 'auto' || ip6 === 'dhcp') return [`iface ${name} inet6 ${ip6}`];
  const [address, mask] = ip6.split('/');
  const gateway = gw6 === undefined ? [] : [`        gateway ${gw6}`];
  return [`iface ${name} inet6 static`, `        address ${address}`, `        netmask ${mask}`, ...gateway];
}

/** The network devices that have an address setting, by their keys as texts. */
function cardsOf(config: Config): Card[] {
  const keys = Object.keys(config).filter(isNetKey);
  return keys.sort().flatMap(key => {
    const index = key.slice('net'.length);
    const setting = config[`ipconfig${index}`];
    if (setting === undefined) return [];
    return [{ index, mac: parseNet(config[key] ?? '')['macaddr'] ?? '', ip: addressesOf(setting) }];
  });
}

/** What an ipconfig value comes to: nothing for DHCP with a gateway, DHCP for both families when it is empty. */
function addressesOf(setting: string): Record<string, string> {
  const values = tryPropertyString('pve-qm-ipconfig', setting);
  if (!values) return {};
  const { ip, gw, ip6, gw6 } = values;
  if (gw !== undefined && ip === 'dhcp') return {};
  if (gw6 !== undefined && !ip6?.includes(':')) return {};
  return ip === undefined && ip6 === undefined ? { ip: 'dhcp', ip6: 'dhcp' } : values;
}

/** A guest that says nothing of its own gets what its node has. */
function dnsOf({ nameserver, searchdomain }: Config): { servers: string[]; domains: string[] } {
  const words = (text: string): string[] => text.split(/\s+/).filter(word => word !== '');
  return {
    servers: words(nameserver ?? RESOLVER.dns1),
    domains: words(searchdomain ?? ''),
  };
}

function split4(cidr: string): { address: string; mask: string } {
  const [address = '', bits = '32'] = cidr.split('/');
  const whole = 2 ** 32 - 2 ** (32 - Number(bits));
  const mask = [24, 16, 8, 0].map(shift => Math.floor(whole / 2 ** shift) % 256).join('.');
  return { address, mask };
}
