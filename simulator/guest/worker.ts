import type { Call } from '../cluster/call';
import type { TaskContext } from '../tasks/task';
import type { Place } from './place';
import { placeOf } from './place';

/** Starts a worker of this type for the guest of the call's path and gives its UPID. */
export function startWorker(
  call: Call,
  type: string,
  work: (task: TaskContext, place: Place) => Promise<void> | void,
): string {
  const place = placeOf(call);
  const { sim, node, user } = call;
  return sim.tasks.start({ type, id: String(place.vmid), node, user }, task => work(task, place));
}
