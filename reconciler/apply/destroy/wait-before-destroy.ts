import type { Leaving } from './find-leaving';
import { waitForClones, type StayingClones } from './wait-for-clones';
import type { Run } from '../../run/run';
import { goesLocked, waitForLock } from '../../waits/guest-locks';
import { changesGuest, makesGuest, startedBy, type RunningTask } from '../../waits/running-task';
import { movesNewGuest } from '../../waits/running-tasks';
import type { Waiting } from '../../waits/waiting';

/**
 * Waits for what must end or come back before a machine can be destroyed, or be called gone. True: it took a wait, so
 * look again.
 */
export async function waitBeforeDestroy(
  run: Run,
  leaving: Leaving,
  waiting: Waiting,
): Promise<boolean | StayingClones> {
  const { cluster, runningTasks } = run;
  if (leaving.kind === 'found') waiting.limit.allow('destroy', leaving.guest.mark?.destroyTimeout);
  // a node that is cut off lists the cluster as it was: what came since is there all the same
  if (cluster.quorate === false) {
    await run.shared.quorum.wait(waiting);
    return true;
  }
  if (leaving.kind === 'gone') {
    // a creation that was cut short has no name yet, and no spec is known that would tell its source
    const mayBeIt = (task: RunningTask): boolean =>
      startedBy(task, cluster.caller) && (makesGuest(task) || movesNewGuest(task, cluster.guests));
    return runningTasks.wait(mayBeIt, waiting, () => false);
  }
  if (leaving.kind !== 'found') return false;
  const { guest } = leaving;
  if (await runningTasks.wait(task => changesGuest(task, guest.vmid), waiting)) return true;
  if (!goesLocked(guest) && (await waitForLock(run, guest, waiting))) return true;
  return waitForClones(run, guest, waiting);
}
