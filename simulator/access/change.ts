import { Failure } from '../failure';
import { needQuorum } from '../cluster/quorum';
import type { Sim } from '../cluster/sim';

/** Changes users, groups, roles or ACLs under Proxmox's cluster-wide lock. All its failures are 500 and begin with what failed. */
export function changeAccess<T>(sim: Sim, failed: string, change: () => T): T {
  needQuorum(sim.world, `${failed}: cfs-lock 'file-user_cfg' error: no quorum!`);
  try {
    return change();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(500, `${failed}: ${inOneText(error)}`);
  }
}

/** PVE: an exception with a status and parameters becomes one text, and so a 500. */
function inOneText({ status, message, errors = {} }: Failure): string {
  const each = Object.entries(errors).map(([name, text]) => `${name}: ${text}\n`);
  return status === 500 ? message : `${status} ${message.trimEnd()}\n${each.join('')}`;
}
