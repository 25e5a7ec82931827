import { isIP } from 'node:net';

/** 4 or 6 for an address, a network or a range; undefined for a name. `10.0` is an address too. */
export function ipVersionOf(text: string): number | undefined {
  const [address = ''] = text.split(/[/-]/);
  return /^[\d.]+$/.test(address) ? 4 : isIP(address) || undefined;
}

/** A network as the firewall writes it down: a host has no prefix length. */
export function cleanNetwork(text: string): string {
  const version = ipVersionOf(text);
  if (version === 4) return text.replace(/\/32$/, '');
  return version === 6 ? text.replace(/\/128$/, '') : text;
}
