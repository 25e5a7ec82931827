import type { Leaving } from './find-leaving';
import type { Run } from '../run/run';
import { waitForLock, waitForQuorum } from '../waits/hindrances';
import { changesGuest, makesGuest, startedBy } from '../waits/running-task';
import type { RunningTask } from '../waits/running-task';
import { movesNewGuest } from '../waits/running-tasks';
import type { Waiting } from '../waits/waiting';

/**
 * Waits for what must end or come back before a machine can be destroyed, or be called gone. True: it took a wait, so
 * look again.
 */
export async function waitBeforeDestroy(fleet: Run, leaving: Leaving, waiting: Waiting): Promise<boolean> {
  const { cluster, runningTasks } = fleet;
  if (leaving.kind === 'gone') {
    // a creation that was cut short has no name yet, and no spec is known that would tell its source
    const mayBeIt = (task: RunningTask): boolean =>
      startedBy(task, cluster.caller) && (makesGuest(task) || movesNewGuest(task, cluster.guests));
    return runningTasks.wait(mayBeIt, waiting, () => false);
  }
  if (leaving.kind !== 'found') return false;
  const { guest } = leaving;
  waiting.limit.allow('destroy', guest.mark?.l);
  if (cluster.quorate === false) {
    await waitForQuorum(fleet.quorum, waiting);
    return true;
  }
  if (await runningTasks.wait(task => changesGuest(task, guest.vmid), waiting)) return true;
  return waitForLock(fleet, guest, waiting);
}
