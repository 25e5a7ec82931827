/** The address that the simulated network hands out for a MAC: always the same. */
export function dhcpAddress(mac: string): string {
  return `10.${bytesOf(mac).slice(3).join('.')}/8`;
}

/** The address that a card makes of its MAC under a prefix such as `fe80:`. */
export function stableAddress(prefix: string, mac: string): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = bytesOf(mac);
  const groups = [((a ^ 2) << 8) | b, (c << 8) | 0xff, 0xfe00 | d, (e << 8) | f];
  return `${prefix}:${groups.map(group => group.toString(16)).join(':')}/64`;
}

function bytesOf(mac: string): number[] {
  return mac.split(':').map(part => parseInt(part, 16));
}
