import { maySeeAllGuests } from '../observed';
import type { Pve } from '../pve';
import { NOT_READ, RIGHTS_MS, rightsOf } from './cluster';
import type { SharedReads } from './shared-reads';

/** Whether no guest is hidden from the caller, where the cluster may not have been read: what the caller may do is. */
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
