import { Failure } from '../failure';
import { needQuorum } from '../quorum';
import type { Sim } from '../sim';

/** Changes users, groups, roles or ACLs under Proxmox's cluster-wide lock. Its plain failures begin with what failed. */
export function changeAccess<T>(sim: Sim, failed: string, change: () => T): T {
  needQuorum(sim.world, `${failed}: cfs-lock 'file-user_cfg' error: no quorum!`);
  try {
    return change();
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 500) throw error;
    throw new Failure(500, `${failed}: ${error.message}`);
  }
}

/** Takes a list apart as Proxmox does: commas, semicolons and blanks separate. */
export function splitList(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,;]+/).filter(part => part !== '');
}
