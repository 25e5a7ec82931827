/** A seeded source of randomness: the same seed gives the same ids, MACs and faults. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  hex(digits: number): string;
  uuid(): string;
  /** A MAC address under a prefix such as BC:24:11. */
  mac(prefix: string): string;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => below(16).toString(16)).join('');
  return {
    next,
    below,
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[below(4)] ?? '8'}${hex(3)}-${hex(12)}`,
    mac: prefix => {
      const groups = prefix.split(':');
      while (groups.length < 6) groups.push(hex(2));
      return groups.join(':').toUpperCase();
    },
  };
}
