/** An address as a number, so that subnets can be compared exactly. */
export interface IpAddress {
  readonly family: 'ipv4' | 'ipv6';
  readonly value: bigint;
}

export interface Cidr extends IpAddress {
  readonly prefix: number;
}

const BITS = { ipv4: 32, ipv6: 128 } as const;

/** Reads an address; undefined when it is none. Leading zeros and zones are refused, as they mean different things to different readers. */
export function parseAddress(given: string): IpAddress | undefined {
  const value = given.includes(':') ? ipv6(given) : ipv4(given);
  return value === undefined ? undefined : { family: given.includes(':') ? 'ipv6' : 'ipv4', value };
}

/** Reads "10.0.0.5/24"; undefined when it is no address with a prefix. */
export function parseCidr(given: string): Cidr | undefined {
  const [address = '', digits = '', ...more] = given.split('/');
  const read = parseAddress(address);
  if (read === undefined || more.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(digits)) return undefined;
  const prefix = Number(digits);
  return prefix <= BITS[read.family] ? { ...read, prefix } : undefined;
}

/** The one spelling of an address: lower case, and the longest run of zeros as "::". */
export function formatAddress({ family, value }: IpAddress): string {
  if (family === 'ipv4') return [24n, 16n, 8n, 0n].map(shift => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 65535n).toString(16));
  const runs = [...groups.join(':').matchAll(/\b0(?::0)+\b/g)].sort((a, b) => b[0].length - a[0].length);
  const run = runs[0];
  if (run === undefined) return groups.join(':');
  const all = groups.join(':');
  return `${all.slice(0, run.index).replace(/:$/, '')}::${all.slice(run.index + run[0].length).replace(/^:/, '')}`;
}

/** True when the address lies in the subnet of the other. */
export function isInSubnet(address: IpAddress, subnet: Cidr): boolean {
  return address.family === subnet.family && network(address.value, subnet) === network(subnet.value, subnet);
}

/** True for the first and, in IPv4, the last address of a subnet, which no host may have. */
export function isReservedInSubnet(host: Cidr): boolean {
  const free = BITS[host.family] - host.prefix;
  if (free <= 1) return false;
  const mask = (1n << BigInt(free)) - 1n;
  return (host.value & mask) === 0n || (host.family === 'ipv4' && (host.value & mask) === mask);
}

function network(value: bigint, { family, prefix }: Cidr): bigint {
  return value >> BigInt(BITS[family] - prefix);
}

function ipv4(given: string): bigint | undefined {
  const parts = given.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function ipv6(given: string): bigint | undefined {
  const halves = given.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(half => (half === '' ? [] : groupsOf(half)));
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...(tail ?? [])];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

function groupsOf(half: string): bigint[] | undefined {
  const groups: bigint[] = [];
  const parts = half.split(':');
  for (const [i, part] of parts.entries()) {
    const embedded = i === parts.length - 1 && part.includes('.') ? ipv4(part) : undefined;
    if (embedded !== undefined) groups.push(embedded >> 16n, embedded & 65535n);
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return groups;
}
