import { isIPv6 } from 'node:net';

/** Addresses that stand for all of the machine, and the one of them that a client on it can ask. */
const EVERY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** The URL by which a client on this machine reaches what listens at an address. */
export function reachable(host: string, port: number): string {
  const address = EVERY[host] ?? host;
  return `https://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
