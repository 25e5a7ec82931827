import type { Leaving } from './find-leaving';
import { linkedClones } from './linked-clones';
import type { ObservedGuest } from '../observed';
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
  return (await waitForLock(fleet, guest, waiting)) || waitForClones(fleet, guest, waiting);
}

/** Linked clones of a template of ours may be leaving too, in processes of their own. */
async function waitForClones(fleet: Run, guest: ObservedGuest, waiting: Waiting): Promise<boolean> {
  if (!guest.template) return false;
  let clones = await linkedClones(fleet.pve, guest, fleet.cluster.guests);
  if (clones.length === 0) return false;
  await waiting.until(
    () => `its linked clones to be gone (${clones.join(', ')})`,
    async () => {
      await fleet.refresh();
      clones = await linkedClones(fleet.pve, guest, fleet.cluster.guests);
      return clones.length === 0 || undefined;
    },
  );
  return true;
}
