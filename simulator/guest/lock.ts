import { guestLock } from '../cluster/lock-files';
import type { Sim } from '../cluster/sim';
import type { TaskContext } from '../tasks/task';

/** How long Proxmox waits for a guest's lock file when it changes the guest's configuration or power. */
export const CONFIG_LOCK_MS = 10_000;

/** Runs work under the guest's lock file, logging the wait as a worker of Proxmox does. Fails when the wait is too long. */
export function lockedInTask<T>(
  sim: Sim,
  task: TaskContext,
  { node, vmid }: { node: string; vmid: number },
  work: () => Promise<T> | T,
): Promise<T> {
  const file = guestLock(node, vmid);
  const waited = sim.flocks.held().includes(file);
  if (waited) task.log('trying to acquire lock...');
  return sim.flocks.hold(file, CONFIG_LOCK_MS, () => {
    // PVE prints this only after a wait (recording 43, step 14)
    if (waited) task.log(' OK');
    return work();
  });
}
