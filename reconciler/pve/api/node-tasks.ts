import * as z from 'zod';
import type { Pve } from '../http/client';
import { nodePath } from './nodes';
import { readTaskLog } from './task-log';
import { count, listingOf, text } from '../answers/wire-values';

const ActiveTask = z.object({
  upid: z.string(),
  type: z.string(),
  /** Often a vmid. */
  id: text.optional(),
  user: text.optional(),
  /** Seconds since the epoch. */
  starttime: count.optional(),
  status: text.optional(),
  endtime: count.optional(),
});
export type ActiveTask = z.infer<typeof ActiveTask>;

/** The tasks that run on a node. A token sees its own here, and not in the cluster's list. */
export async function listActiveTasks(
  pve: Pve,
  node: string,
  how: { timeoutMs?: number; once?: boolean } = {},
): Promise<ActiveTask[]> {
  const params = { source: 'active', limit: 500 };
  const path = `${nodePath(node)}/tasks`;
  const rows = await pve.call({ method: 'GET', path, params, answer: listingOf(ActiveTask), ...how });
  return rows.filter(runs);
}

const ClusterTask = ActiveTask.extend({ node: z.string() });
export type ClusterTask = z.infer<typeof ClusterTask>;

/**
 * The tasks of all nodes, in one request: those that run, and some that have ended. A node tells the others of its tasks,
 * so that it may come late, and a caller without Sys.Audit on / sees not even his own (behaviour.md §8, §14.4): it says
 * where to look, and proves nothing.
 */
export function listClusterTasks(pve: Pve): Promise<ClusterTask[]> {
  return pve.call({ method: 'GET', path: '/cluster/tasks', answer: listingOf(ClusterTask) });
}

/** PVE may list a task among the active ones for a while after its end (pve-common RESTEnvironment.pm active_workers). */
export function runs({ status, endtime = 0 }: Pick<ActiveTask, 'status' | 'endtime'>): boolean {
  return endtime === 0 && (status === undefined || status.toUpperCase() === 'RUNNING');
}

/** The id of the guest that a clone makes; undefined until it has begun. The task's own id is that of the source. */
export async function cloneTarget(pve: Pve, upid: string): Promise<number | undefined> {
  const lines = await readTaskLog(pve, upid, { limit: 5 });
  // qemu-server API2/Qemu.pm clone_vm; seen in the recordings of a real cluster
  const target = lines.map(line => /^creating a clone of VM \d+ with ID (\d+)/.exec(line)?.[1]);
  const vmid = target.find(id => id !== undefined);
  return vmid === undefined ? undefined : Number(vmid);
}

export type FailedClone = ActiveTask;

/** The last clones on a node that failed, newest first, as far as the caller sees them. */
export function listFailedClones(pve: Pve, node: string): Promise<FailedClone[]> {
  const params = { source: 'all', typefilter: 'qmclone', errors: 1, limit: 50 };
  return pve.call({ method: 'GET', path: `${nodePath(node)}/tasks`, params, answer: listingOf(ActiveTask) });
}

/** What the clones of one guest said, newest first: the lines of each task's log. Proxmox keeps some thousand tasks a node. */
export async function readCloneLogs(pve: Pve, guest: { node: string; vmid: number }): Promise<string[][]> {
  const tasks = await listTasksOf(pve, guest, 'qmclone', 100);
  return Promise.all(tasks.map(({ upid }) => readTaskLog(pve, upid, { start: 0, limit: 50 })));
}

/** The end of what the newest task of a type on a guest said; empty where the caller sees none. */
export async function readLastTask(
  pve: Pve,
  guest: { node: string; vmid: number },
  type: string,
): Promise<string[]> {
  const [last] = await listTasksOf(pve, guest, type, 1);
  return last === undefined ? [] : (await readTaskLog(pve, last.upid, { limit: 0 })).slice(-5);
}

function listTasksOf(
  pve: Pve,
  { node, vmid }: { node: string; vmid: number },
  typefilter: string,
  limit: number,
) {
  const path = `${nodePath(node)}/tasks`;
  const params = { source: 'all', typefilter, vmid, limit };
  return pve.call({ method: 'GET', path, params, answer: listingOf(z.object({ upid: z.string() })) });
}
