import type { ObservedGuest } from '../observed';
import { isOnlySign } from './next-boot';

/** The keys that would change when what waits in Proxmox takes effect. A sign of our own that a boot is awaited changes nothing. */
export function waitingKeys({ current, pending }: Pick<ObservedGuest, 'current' | 'pending'>): string[] {
  return Object.keys(pending).filter(key => {
    const waiting = pending[key];
    return waiting !== current[key] && !(key === 'smbios1' && isOnlySign(waiting, current[key]));
  });
}
