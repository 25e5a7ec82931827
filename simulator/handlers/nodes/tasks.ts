import { hasPrivileges, requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { Answer, FileAnswer } from '../../cluster/call';
import { fail, failParameters } from '../../failure';
import type { Task } from '../../tasks/task';
import { isOwnTask, parseUpid } from '../../tasks/upid';
import { filteredTasks, taskRow } from '../../tasks/list';

const DEFAULT_LIMIT = 50;

/** The tasks of a node: its history, what runs, and their logs. */
export const taskHandlers: HandlerTable = {
  'GET /nodes/{node}/tasks': list,
  'GET /nodes/{node}/tasks/{upid}/status': status,
  'GET /nodes/{node}/tasks/{upid}/log': log,
  'DELETE /nodes/{node}/tasks/{upid}': stop,
};

function list(call: Call): Answer {
  const { sim, node, user, params } = call;
  const auditor = hasPrivileges(sim, user, `/nodes/${node}`, ['Sys.Audit']);
  const mine = sim.tasks.all().filter(task => task.node === node && (auditor || isOwnTask(task, user)));
  const matching = filteredTasks(mine, params, call.lists['statusfilter']);
  const start = Number(params['start'] ?? 0);
  const rows = matching.slice(start, start + Number(params['limit'] ?? DEFAULT_LIMIT)).map(taskRow);
  // an attribute of 0 is left out of the answer
  return new Answer(rows, matching.length > 0 ? { total: matching.length } : {});
}

/** The task on this node, or Proxmox's two ways to say that there is none. */
function taskOf({ sim, node, params }: Call): Task {
  const upid = params['upid'] ?? '';
  if (!parseUpid(upid)) failParameters({ upid: 'unable to parse worker upid' });
  const task = sim.tasks.find(upid);
  return task?.node === node ? task : failParameters({ upid: 'no such task' });
}

function status(call: Call): unknown {
  const task = taskOf(call);
  requireOwn(call, task, 'Sys.Audit');
  const { endtime: _, log: __, exitstatus, ...facts } = task;
  return task.status === 'running' ? facts : { ...facts, exitstatus };
}

function log(call: Call): Answer {
  const { sim, node, params } = call;
  const upid = params['upid'] ?? '';
  const owner = parseUpid(upid) ?? failParameters({ upid: 'unable to parse worker upid' });
  requireOwn(call, owner, 'Sys.Audit');
  const task = sim.tasks.find(upid);
  if (params['download'] === '1') return wholeLog(call, task);
  const lines = task?.node === node ? task.log : ['unable to open file - No such file or directory'];
  const shown = lines.length > 0 ? lines : ['no content'];
  const start = Number(params['start'] ?? 0);
  const limit = Number(params['limit'] ?? DEFAULT_LIMIT) || Infinity;
  const rows = shown.map((t, index) => ({ n: index + 1, t })).slice(start, start + limit);
  return new Answer(rows, { total: shown.length });
}

function wholeLog({ params, node }: Call, task: Task | undefined): FileAnswer {
  if (params['start'] !== undefined || params['limit'] !== undefined) {
    fail("'download' cannot be used together with 'start' or 'limit' parameters");
  }
  if (task?.node !== node) {
    const { upid = '' } = params;
    // PVE: the logs lie in folders by the last digit of their start
    const file = `/var/log/pve/tasks/${upid.split(':')[4]?.at(-1)}/${upid}`;
    fail(`Could not open file '${file}' - No such file or directory`);
  }
  const started = `${new Date(task.starttime * 1000).toISOString().slice(0, 19)}Z`;
  return new FileAnswer(
    task.log.map(line => `${line}\n`).join(''),
    `task-${task.node}-${task.type}-${started}.log`,
  );
}

function stop(call: Call): null {
  const task = taskOf(call);
  requireOwn(call, task, 'Sys.Modify');
  call.sim.tasks.stop(task.upid);
  return null;
}

function requireOwn(
  { sim, user, node }: Call,
  task: Pick<Task, 'user' | 'tokenid'>,
  privilege: string,
): void {
  if (!isOwnTask(task, user)) requirePrivileges(sim, user, `/nodes/${node}`, [privilege]);
}
