import type { Sim } from '../../cluster/sim';
import type { TaskContext } from '../../tasks/task';
import { lockedInTask } from '../lock';
import type { Place } from '../place';
import { startGuest, stopUnlocked } from './start-stop';

/** Shuts a guest down inside a task and has it started again by a task of its own, as the node's event daemon does. */
export async function rebootGuest(
  sim: Sim,
  task: TaskContext,
  place: Place,
  timeout: number | undefined,
): Promise<void> {
  const wishes = { shutdown: true, timeout, reboots: true };
  await lockedInTask(sim, task, place, () => stopUnlocked(sim, task, place, wishes));
  const request = { type: 'qmstart', id: String(place.vmid), node: place.node, user: 'root@pam' };
  sim.tasks.start(request, again => startGuest(sim, again, place));
}
