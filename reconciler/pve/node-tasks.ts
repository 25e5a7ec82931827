import * as z from 'zod';
import type { Pve } from './client';

const ActiveTask = z.object({ upid: z.string(), type: z.string(), id: z.string().optional() });
export type ActiveTask = z.infer<typeof ActiveTask>;

/** The tasks that run on a node. A token sees its own here, and not in the cluster's list. */
export function listActiveTasks(pve: Pve, node: string): Promise<ActiveTask[]> {
  const params = { source: 'active', limit: 500 };
  const path = `/nodes/${encodeURIComponent(node)}/tasks`;
  return pve.call({ method: 'GET', path, params, answer: z.array(ActiveTask) });
}
