import type { ObservedCluster } from '../observed';

/**
 * Whether the caller may see guests at all. Without VM.Audit Proxmox lists nothing and says nothing of it, so an
 * empty list would prove nothing.
 */
export function maySeeGuests({ permissions, guests, caller, rightsHidden }: ObservedCluster): boolean {
  // nobody's rights are known where no server tells any
  if (caller === undefined && !rightsHidden) return true;
  return guests.length > 0 || Object.values(permissions).some(privileges => 'VM.Audit' in privileges);
}

/** Whether no guest is hidden from the caller, so that one which is not listed is not there. */
export function maySeeAllGuests({ permissions, caller, rightsHidden }: ObservedCluster): boolean {
  if (rightsHidden) return false;
  if (caller === undefined || caller === 'root@pam') return true;
  const onGuests = permissions['/vms'] ?? permissions['/'] ?? {};
  const single = Object.entries(permissions).filter(([path]) => path.startsWith('/vms/'));
  return onGuests['VM.Audit'] === 1 && single.every(([, privileges]) => 'VM.Audit' in privileges);
}
