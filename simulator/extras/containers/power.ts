import { onlyRoot } from '../../access/root-only';
import type { Call, HandlerTable } from '../../cluster/call';
import { needQuorum } from '../../cluster/quorum';
import { fail } from '../../failure';
import { lockedInTask } from '../../guest/lock';
import { placeOf } from '../../guest/place';
import { setRunning } from '../../guest/power/running';
import { startWorker } from '../../guest/worker';
import type { TaskContext } from '../../tasks/task';
import type { Guest } from '../../world';
import { loadContainer } from './container';

const STATUS = '/nodes/{node}/lxc/{vmid}/status';

/**
 * The power of containers. They obey each request, and the HA manager lets them alone (assumed); nothing of them is
 * recorded.
 */
export const lxcPowerHandlers: HandlerTable = {
  [`POST ${STATUS}/start`]: start,
  [`POST ${STATUS}/stop`]: call => end(call, 'vzstop'),
  [`POST ${STATUS}/shutdown`]: call => end(call, 'vzshutdown'),
  [`POST ${STATUS}/reboot`]: reboot,
};

function start(call: Call): string {
  onlyRoot(call, 'skiplock');
  if (isRunning(call)) fail(`CT ${call.params['vmid']} already running`);
  needQuorum(call.sim.world);
  return work(call, 'vzstart', async (task, container) => {
    if (container.config['template'] === '1') fail("you can't start a CT if it's a template");
    await task.workUsual();
    setRunning(call.sim, container);
  });
}

function end(call: Call, type: string): string {
  onlyRoot(call, 'skiplock');
  if (!isRunning(call)) fail(`CT ${call.params['vmid']} not running`);
  return work(call, type, async (task, container) => {
    await task.workUsual();
    container.running = null;
  });
}

function reboot(call: Call): string {
  // PVE: says VM here, of a container too
  if (!isRunning(call)) fail(`VM ${call.params['vmid']} not running`);
  return work(call, 'vzreboot', async (task, container) => {
    await task.workUsual();
    setRunning(call.sim, container);
  });
}

/** PVE: asks the process, not the configuration: a container that does not exist does not run. */
function isRunning({ sim, node, params }: Call): boolean {
  const guest = sim.world.guests[Number(params['vmid'])];
  return guest?.type === 'lxc' && guest.node === node && guest.running !== null;
}

/** Starts a worker that holds the container's lock file. It fails where a lock stands in the configuration. */
function work(
  call: Call,
  type: string,
  change: (task: TaskContext, container: Guest) => Promise<void>,
): string {
  const { sim } = call;
  loadContainer(sim, call.node, placeOf(call).vmid);
  return startWorker(call, type, (task, place) =>
    lockedInTask(sim, task, place, () => {
      const container = loadContainer(sim, place.node, place.vmid);
      const { lock } = container.config;
      if (lock !== undefined && call.params['skiplock'] !== '1') fail(`CT is locked (${lock})`);
      return change(task, container);
    }),
  );
}
