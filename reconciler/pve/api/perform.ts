import type { Pve } from '../http/client';
import type { PveParams } from '../http/form';
import { waitForTask, type TaskEnd, type TaskWait } from './task';
import { TaskId } from '../answers/upid';

/** Sends a request that Proxmox does as a task, and waits for its end. An answer without the task's id proves nothing. */
export async function perform(
  pve: Pve,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  params: PveParams,
  wait: TaskWait,
): Promise<TaskEnd> {
  const upid = await pve.call({ method, path, params, answer: TaskId });
  wait.accepted?.();
  return waitForTask(pve, upid, wait);
}
