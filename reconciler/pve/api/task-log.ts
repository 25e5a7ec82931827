import * as z from 'zod';
import type { Pve } from '../http/client';
import { TaskId, parseUpid } from '../answers/upid';
import { rowsOf, text } from '../answers/wire-values';

const Log = rowsOf(z.object({ t: text.default('') }));

/** The lines that a task has written so far; a limit of 0 gives all. None of a task that a server lists without its id. */
export async function readTaskLog(
  pve: Pve,
  upid: string,
  params: { start?: number; limit: number },
  how: { signal?: AbortSignal; timeoutMs?: number; once?: boolean } = {},
): Promise<string[]> {
  if (!TaskId.safeParse(upid).success) return [];
  const lines = await pve.call({ method: 'GET', path: `${taskPath(upid)}/log`, params, answer: Log, ...how });
  return lines.map(({ t }) => pve.masked(t));
}

/** Where a task stands in the API. */
export function taskPath(upid: string): string {
  // the task's history is on the node that its id names. Servers that read a path as it stands know it with ":" and "@"
  const segment = encodeURIComponent(upid).replaceAll('%3A', ':').replaceAll('%40', '@');
  return `/nodes/${parseUpid(upid).node}/tasks/${segment}`;
}
