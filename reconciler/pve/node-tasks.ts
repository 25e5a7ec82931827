import * as z from 'zod';
import type { Pve } from './client';
import { taskPath } from './task';

const ActiveTask = z.object({ upid: z.string(), type: z.string(), id: z.string().optional() });
export type ActiveTask = z.infer<typeof ActiveTask>;

/** The tasks that run on a node. A token sees its own here, and not in the cluster's list. */
export function listActiveTasks(pve: Pve, node: string): Promise<ActiveTask[]> {
  const params = { source: 'active', limit: 500 };
  const path = `/nodes/${encodeURIComponent(node)}/tasks`;
  return pve.call({ method: 'GET', path, params, answer: z.array(ActiveTask) });
}

const Log = z.array(z.object({ t: z.string() }));

/** The id of the guest that a clone makes; undefined until it has begun. The task's own id is that of the source. */
export async function cloneTarget(pve: Pve, upid: string): Promise<number | undefined> {
  const lines = await pve.call({
    method: 'GET',
    path: `${taskPath(upid)}/log`,
    params: { limit: 5 },
    answer: Log,
  });
  // qemu-server API2/Qemu.pm clone_vm; seen in the recordings of a real cluster
  const target = lines.map(({ t }) => /^creating a clone of VM \d+ with ID (\d+)/.exec(t)?.[1]);
  const vmid = target.find(id => id !== undefined);
  return vmid === undefined ? undefined : Number(vmid);
}
