import { isIP } from 'node:net';

type Hash = (text: string) => Buffer;

/**
 * Another address, in 10.0.0.0/8 or fd00::/16. Two addresses that share their first bits share as many bits there, so what
 * was one network stays one. Undefined for what is no address; loopback and "any" stay. The address of a link alone stays in
 * fe80::, but not what is behind: it is made of the MAC address.
 */
export function disguisedIp(address: string, hash: Hash): string | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  if (/^(127\.|0\.0\.0\.0$|::1?$)/i.test(address)) return address;
  return version === 4 ? disguised4(address, hash) : disguised6(address, hash);
}

function disguised4(address: string, hash: Hash): string {
  const bits = bitsOf(address.split('.').map(Number), 8);
  const bytes = numbersOf(flipped(bits, 8, hash), 8);
  return [10, ...bytes.slice(1)].join('.');
}

function disguised6(address: string, hash: Hash): string {
  const isOfLink = /^fe[89ab]/i.test(address);
  const bits = bitsOf(groupsOf(address), 16);
  const groups = numbersOf(flipped(bits, isOfLink ? 64 : 16, hash), 16);
  if (isOfLink) return groups.map(group => group.toString(16)).join(':');
  return ['fd00', ...groups.slice(1).map(group => group.toString(16))].join(':');
}

/** Each bit from `from` on is turned around or not, as the bits before it say. */
function flipped(bits: string, from: number, hash: Hash): string {
  let result = '';
  for (let index = 0; index < bits.length; index += 1) {
    const turn = index < from ? 0 : (hash(bits.slice(0, index))[0] ?? 0) & 1;
    result += bits[index] === String(turn) ? '0' : '1';
  }
  return result;
}

const bitsOf = (numbers: number[], width: number): string =>
  numbers.map(number => number.toString(2).padStart(width, '0')).join('');

const numbersOf = (bits: string, width: number): number[] =>
  (bits.match(new RegExp(`.{${width}}`, 'g')) ?? []).map(part => parseInt(part, 2));

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const plain = (address.split('%')[0] ?? '').replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, ...parts: string[]) => {
      const [a, b, c, d] = parts.slice(0, 4).map(Number);
      return `${(((a ?? 0) << 8) | (b ?? 0)).toString(16)}:${(((c ?? 0) << 8) | (d ?? 0)).toString(16)}`;
    },
  );
  const [head = '', tail] = plain.split('::');
  const read = (text: string): number[] =>
    text === '' ? [] : text.split(':').map(group => parseInt(group, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
}
