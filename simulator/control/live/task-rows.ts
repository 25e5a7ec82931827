import type { Sim } from '../../cluster/sim';
import type { Task } from '../../tasks/task';

/** So many tasks that run, and so many that ended last, are shown; the others are counted. */
const MOST_RUNNING = 50;
const MOST_ENDED = 20;

/** The tasks that run and the last that ended, newest first, by UPID, and how many run. */
export function taskRows({ tasks }: Sim): { running: number; rows: (readonly [string, object])[] } {
  const running: Task[] = [];
  const ended: Task[] = [];
  for (const task of tasks.all()) (task.status === 'running' ? running : ended).push(task);
  const shown = [...running.slice(-MOST_RUNNING), ...ended.slice(-MOST_ENDED)];
  return { running: running.length, rows: shown.map(task => [task.upid, taskRow(task)] as const) };
}

function taskRow({ upid, node, type, id, user, tokenid, starttime, endtime, exitstatus, log }: Task): object {
  return {
    upid,
    node,
    type,
    id,
    user: tokenid === undefined ? user : `${user}!${tokenid}`,
    starttime,
    lines: log.length,
    ...(endtime === undefined ? {} : { endtime, exitstatus }),
  };
}

/** So many lines of a log are shown, the last ones. */
const MOST_LINES = 1000;

/** The log of a task. */
export function taskLog({ tasks }: Sim, upid: string): { lines: string[]; left: number } {
  const task = tasks.find(upid);
  if (!task) throw new Error(`upid: there is no task '${upid}'; the simulator may have been reset since`);
  return { lines: task.log.slice(-MOST_LINES), left: Math.max(0, task.log.length - MOST_LINES) };
}
