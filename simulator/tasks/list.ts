import { splitList } from '../perl-text';
import type { Task } from './task';

/** The tasks that a list's parameters ask for: those that run first, then the finished ones, newest first. */
export function filteredTasks(
  tasks: Task[],
  params: Record<string, string>,
  statuses: string[] = splitList(params['statusfilter']),
): Task[] {
  const source = params['source'] ?? 'archive';
  const wanted = tasks.filter(
    task =>
      (source === 'all' || (source === 'active') === (task.status === 'running')) &&
      matches(task, params) &&
      (statuses.length === 0 || statuses.includes(statusType(task))),
  );
  return wanted.reverse().sort((left, right) => rank(right) - rank(left));
}

function rank({ endtime }: Task): number {
  return endtime ?? Number.MAX_SAFE_INTEGER;
}

function matches(task: Task, params: Record<string, string>): boolean {
  const { userfilter, typefilter, vmid, since, until, errors } = params;
  return (
    (userfilter === undefined || task.user.toLowerCase().includes(userfilter.toLowerCase())) &&
    (typefilter === undefined || task.type === typefilter) &&
    (vmid === undefined || task.id === vmid) &&
    (since === undefined || task.starttime >= Number(since)) &&
    (until === undefined || task.starttime <= Number(until)) &&
    (errors !== '1' || !['ok', 'warning'].includes(statusType(task)))
  );
}

function statusType({ exitstatus }: Task): string {
  if (exitstatus === undefined || exitstatus === 'unexpected status') return 'unknown';
  if (exitstatus === 'OK') return 'ok';
  return /^WARNINGS: \d+$/.test(exitstatus) ? 'warning' : 'error';
}

/** One row of a node's task list. */
export function taskRow(task: Task): Record<string, unknown> {
  const { upid, node, pid, pstart, starttime, type, id, user, tokenid } = task;
  const row = { upid, node, pid, pstart, starttime, type, id };
  // PVE: the list of running tasks keeps the token in the user's name
  if (task.status === 'running') {
    const who = tokenid === undefined ? user : `${user}!${tokenid}`;
    return { ...row, user: who, status: 'RUNNING', saved: '0' };
  }
  const token = tokenid === undefined ? {} : { tokenid };
  return { ...row, user, ...token, endtime: task.endtime, status: task.exitstatus };
}
