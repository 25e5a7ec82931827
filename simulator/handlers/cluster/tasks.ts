import { hasPrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import type { Task } from '../../tasks/task';

/** How many ended tasks each node tells the cluster of, beside those that run. */
const TOLD_PER_NODE = 25;
const LOG_LINES = 50;

export const clusterTasksHandlers: HandlerTable = {
  'GET /cluster/tasks': ({ sim, user }) => {
    const all = hasPrivileges(sim, user, '/', ['Sys.Audit']);
    return sim.world.nodes
      .flatMap(({ name }) => told(sim.tasks.all().filter(({ node }) => node === name)))
      .filter(({ user: owner }) => all || owner === user)
      .map(row);
  },
  'GET /cluster/log': call => logLines(call).slice(0, Number(call.params['max'] ?? LOG_LINES)),
};

function told(tasks: Task[]): Task[] {
  const newest = [...tasks].reverse();
  const running = newest.filter(({ status }) => status === 'running');
  const ended = newest.filter(({ status }) => status !== 'running');
  return [...running, ...ended.slice(0, TOLD_PER_NODE)];
}

function row(task: Task): Record<string, unknown> {
  const { upid, node, pid, pstart, starttime, type, id, user, tokenid, endtime, exitstatus } = task;
  return {
    upid,
    node,
    pid,
    pstart,
    starttime,
    type,
    id,
    user,
    ...(tokenid !== undefined && { tokenid }),
    ...(endtime !== undefined && { endtime, status: exitstatus, saved: '1' }),
  };
}

/** The cluster's log, newest first: of the many services only the task starts and ends. */
function logLines({ sim, user }: Call): Record<string, unknown>[] {
  const all = hasPrivileges(sim, user, '/', ['Sys.Syslog']);
  const lines = sim.tasks.all().flatMap(task => [
    { task, time: task.starttime, msg: `starting task ${task.upid}`, pri: 6 },
    ...(task.endtime === undefined
      ? []
      : [
          {
            task,
            time: task.endtime,
            msg: `end task ${task.upid} ${task.exitstatus}`,
            pri: task.exitstatus === 'OK' ? 6 : 3,
          },
        ]),
  ]);
  return lines
    .map(({ task, time, msg, pri }, index) => ({
      uid: index + 1,
      id: `${index + 1}:${task.node}`,
      node: task.node,
      pid: task.pid,
      tag: 'pvedaemon',
      user: task.tokenid === undefined ? task.user : `${task.user}!${task.tokenid}`,
      time,
      msg,
      pri,
    }))
    .filter(({ user: owner }) => all || owner === user)
    .sort((one, other) => other.time - one.time || other.uid - one.uid);
}
