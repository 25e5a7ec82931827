import type { Doomed } from './find-doomed';
import type { Run } from '../run/run';
import { waitForLock, waitForQuorum } from '../waits/hindrances';
import { changesGuest, makesGuest, startedBy } from '../waits/running-task';
import type { RunningTask } from '../waits/running-task';
import { movesNewborn } from '../waits/under-way';
import type { Waiting } from '../waits/waiting';

/**
 * Waits for what must end or come back before a machine can be destroyed, or be called gone. True: it took a wait, so
 * look again.
 */
export async function waitBeforeDestroy(fleet: Run, doomed: Doomed, waiting: Waiting): Promise<boolean> {
  const { cluster, underWay } = fleet;
  if (doomed.kind === 'gone') {
    // a creation that was cut short has no name yet, and no spec is known that would tell its source
    const mayBeIt = (task: RunningTask): boolean =>
      startedBy(task, cluster.caller) && (makesGuest(task) || movesNewborn(task, cluster.guests));
    return underWay.wait(mayBeIt, waiting, () => false);
  }
  if (doomed.kind !== 'found') return false;
  const { guest } = doomed;
  waiting.limit.allow('destroy', guest.mark?.l);
  if (cluster.quorate === false) {
    await waitForQuorum(fleet.quorum, waiting);
    return true;
  }
  if (await underWay.wait(task => changesGuest(task, guest.vmid), waiting)) return true;
  return waitForLock(fleet, guest, waiting);
}
