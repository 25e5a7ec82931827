import type { ObservedCluster } from '../observed';
import type { Pve } from '../pve';
import { NOT_READ, RIGHTS_MS, rightsOf } from './cluster';
import type { SharedReads } from './shared-reads';

/**
 * Whether the caller may see guests at all. Without VM.Audit Proxmox lists nothing and says nothing of it, so an
 * empty list would prove nothing.
 */
export function maySeeGuests({ permissions, guests, caller, rightsHidden }: ObservedCluster): boolean {
  // nobody's rights are known where no server tells any
  if (caller === undefined && !rightsHidden) return true;
  return guests.length > 0 || Object.values(permissions).some(privileges => 'VM.Audit' in privileges);
}

/** What to do where they may not be seen. `where`: the paths on which the privilege is enough. */
export function sightRemedy({ rightsHidden }: Pick<ObservedCluster, 'rightsHidden'>, where = '/vms'): string {
  const grant = `Grant VM.Audit on ${where} to the user, and to the token if it has rights of its own.`;
  if (rightsHidden !== true) return grant;
  return `${grant} The server does not tell what the user may do, which would tell the cause: let what stands in front of Proxmox pass GET /access/permissions.`;
}

/** Whether no guest is hidden from the caller, so that one which is not listed is not there. */
export function maySeeAllGuests({ permissions, caller, rightsHidden }: ObservedCluster): boolean {
  if (rightsHidden) return false;
  if (caller === undefined || caller === 'root@pam') return true;
  const onGuests = permissions['/vms'] ?? permissions['/'] ?? {};
  const single = Object.entries(permissions).filter(([path]) => path.startsWith('/vms/'));
  return onGuests['VM.Audit'] === 1 && single.every(([, privileges]) => 'VM.Audit' in privileges);
}

/** The same, where the cluster may not have been read: what the caller may do is. */
export async function seesAllGuests(pve: Pve, reads: SharedReads): Promise<boolean> {
  return maySeeAllGuests({ ...NOT_READ, ...rightsOf(pve, await reads.permissions.recent(RIGHTS_MS)) });
}

/** Why a file of ours stays that a guest may use which is not seen. `isLast`: the guest goes, and no run of it looks again. */
export function unseenUsers(
  files: readonly { volume: string; node: string }[],
  { isLast }: { isLast: boolean },
): string {
  const names = files.map(({ volume }) => volume).join(', ');
  const [stays, it] = files.length === 1 ? ['stays', 'it'] : ['stay', 'them'];
  const byHand = files.map(({ volume, node }) => `pvesm free ${volume} on ${node}`).join('; ');
  const way = isLast
    ? `No run of this machine looks there again: gc by a user who has it finds ${it}, or remove ${it} by hand`
    : `Grant it, or remove ${it} by hand`;
  return `${names} ${stays}, and may hold secrets: who else uses ${it} cannot be seen without VM.Audit on /vms. ${way} once no guest uses ${it}: ${byHand}.`;
}
