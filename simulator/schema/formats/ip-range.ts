import { isIPv6 } from 'node:net';

interface Address {
  text: string;
  bits: string;
}

/**
 * What is wrong with an address, a network or a range where Proxmox asks Perl's Net::IP, in that module's words; it was
 * run to compare. It takes `10.0` for `10.0.0.0`, and no network whose address has more bits than the prefix.
 */
export function wrongRange(item: string): string | undefined {
  const [, network = item, length] = /^(\S+?)\/(\d+)$/.exec(item) ?? [];
  const [, begin = network, end] = length === undefined ? (/^(.+?)\s*-\s*(.+)$/.exec(item) ?? []) : [];
  const wrong = wrongAddress(begin);
  if (wrong !== undefined) return wrong;
  const first = expanded(begin);
  if (end !== undefined) return wrongEnd(first, end, isIPv6(begin));
  return length === undefined ? undefined : wrongPrefix(first.bits, Number(length));
}

function wrongAddress(address: string): string | undefined {
  if (address.includes(':')) return isAddress6(address) ? undefined : `Invalid IP address ${address}`;
  if (!/^[\d.]+$/.test(address)) return `Invalid chars in IP ${address}`;
  const quads = address.split('.');
  if (quads.length > 4 || quads.includes('')) return `Invalid IP address ${address}`;
  const bad = quads.find(quad => Number(quad) > 255);
  return bad === undefined ? undefined : `Invalid quad in IP address ${address} - ${bad}`;
}

function wrongEnd(first: Address, end: string, six: boolean): string | undefined {
  if (!six && !/^\d{1,3}(\.\d{1,3})*$/.test(end)) return `Not a valid IPv4 address ${end}`;
  const wrong = wrongAddress(end);
  if (wrong !== undefined) return wrong;
  const last = expanded(end);
  return first.bits > last.bits
    ? `Begin address is greater than End address ${first.text} - ${last.text}`
    : undefined;
}

function wrongPrefix(bits: string, length: number): string | undefined {
  if (length > bits.length) return `Prefix length ${length} is longer than IP address (${bits.length})`;
  return bits.slice(length).includes('1') ? `Invalid prefix ${bits}/${length}` : undefined;
}

const isAddress6 = (address: string): boolean => isIPv6(address) && !address.includes('%');

function expanded(address: string): Address {
  if (!address.includes(':')) {
    const quads = [...address.split('.'), '0', '0', '0'].slice(0, 4).map(Number);
    return { text: quads.join('.'), bits: binary(quads, 8) };
  }
  // the URL turns an IPv4 address at the end into two groups
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before = [], after = []] = [head, tail].map(text => (text === '' ? [] : text.split(':')));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const groups = [...before, ...zeros, ...after].map(group => group.padStart(4, '0'));
  const numbers = groups.map(group => Number.parseInt(group, 16));
  return { text: groups.join(':'), bits: binary(numbers, 16) };
}

const binary = (parts: number[], width: number): string =>
  parts.map(part => part.toString(2).padStart(width, '0')).join('');
