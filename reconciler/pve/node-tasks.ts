import * as z from 'zod';
import type { Pve } from './client';
import type { GuestAddress } from './qemu';
import { readTaskLog } from './task';

const ActiveTask = z.object({ upid: z.string(), type: z.string(), id: z.string().optional() });
export type ActiveTask = z.infer<typeof ActiveTask>;

/** The tasks that run on a node. A token sees its own here, and not in the cluster's list. */
export function listActiveTasks(pve: Pve, node: string): Promise<ActiveTask[]> {
  const params = { source: 'active', limit: 500 };
  const path = `/nodes/${encodeURIComponent(node)}/tasks`;
  return pve.call({ method: 'GET', path, params, answer: z.array(ActiveTask) });
}

/** The id of the guest that a clone makes; undefined until it has begun. The task's own id is that of the source. */
export async function cloneTarget(pve: Pve, upid: string): Promise<number | undefined> {
  const lines = await readTaskLog(pve, upid, { limit: 5 });
  // qemu-server API2/Qemu.pm clone_vm; seen in the recordings of a real cluster
  const target = lines.map(line => /^creating a clone of VM \d+ with ID (\d+)/.exec(line)?.[1]);
  const vmid = target.find(id => id !== undefined);
  return vmid === undefined ? undefined : Number(vmid);
}

/** What the clones of one guest said, newest first: the lines of each task's log. Proxmox keeps some thousand tasks a node. */
export async function readCloneLogs(pve: Pve, { node, vmid }: GuestAddress): Promise<string[][]> {
  const path = `/nodes/${encodeURIComponent(node)}/tasks`;
  const params = { source: 'all', typefilter: 'qmclone', vmid, limit: 100 };
  const tasks = await pve.call({ method: 'GET', path, params, answer: z.array(ActiveTask) });
  return Promise.all(tasks.map(({ upid }) => readTaskLog(pve, upid, { start: 0, limit: 50 })));
}
