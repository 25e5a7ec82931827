import type { ObservedGuest } from '../observed';

/** The line that takes back what waits in Proxmox, and where it is written. */
export function takeBackLine(
  { vmid, node }: Pick<ObservedGuest, 'vmid' | 'node'>,
  keys: readonly string[],
): string {
  return `on ${node}: qm set ${vmid} --revert ${keys.join(',')}`;
}
