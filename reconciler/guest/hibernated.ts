import type { ObservedGuest } from '../observed';

/**
 * Whether the guest was suspended to disk. PVE wakes it by a start, which brings nothing that waits (QemuServer.pm, vm_start
 * and vm_start_nolock, as read), and takes no write of it: its lock is in the way.
 */
export function isHibernated({ lock, current }: Pick<ObservedGuest, 'lock' | 'current'>): boolean {
  return lock === 'suspended' || current['vmstate'] !== undefined;
}
