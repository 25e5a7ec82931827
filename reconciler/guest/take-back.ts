import type { LostVolume } from '../../spec';
import type { ObservedGuest } from '../observed';

/** The line that takes back what waits in Proxmox, and where it is written. */
export function takeBackLine(
  { vmid, node }: Pick<ObservedGuest, 'vmid' | 'node'>,
  keys: readonly string[],
): string {
  return `on ${node}: qm set ${vmid} --revert ${keys.join(',')}`;
}

/** What is done where volumes would go whose end somebody left waiting in Proxmox: nothing of ours asked for it. */
export function keepOrLetGo(
  guest: Pick<ObservedGuest, 'vmid' | 'node'>,
  lost: readonly LostVolume[],
): string {
  const line = takeBackLine(
    guest,
    lost.map(({ slot }) => slot),
  );
  return `To keep it, take that back first (${line}); where it is meant, let it take effect in Proxmox: stop and start the guest there. Then run this again: that is safe.`;
}
