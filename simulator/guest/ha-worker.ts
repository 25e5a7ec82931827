import type { Call } from '../cluster/call';
import { fail } from '../failure';
import { motionOf } from '../ha/affinity';
import type { TaskContext } from '../tasks/task';
import { startWorker } from './worker';
import { requestHaMigration, requestHaState } from '../ha/guest-in-ha';

/** Hands a power request over to the HA manager: the task ends at once, the guest follows when the manager acts. */
export function requestHaPower(call: Call, type: 'hastart' | 'hastop', timeout = 0): string {
  const [word, state] = type === 'hastart' ? (['start', 'started'] as const) : (['stop', 'stopped'] as const);
  return startWorker(call, type, async (task, { vmid }) => {
    task.log(`Requesting HA ${word} for VM ${vmid}`);
    await task.workUsual();
    requestHaState(call.sim, vmid, state, timeout);
  });
}

/** Hands a migration over to the HA manager; the task ends at once, and fails where the manager will not do it. */
export function requestHaMove(call: Call, target: string): string {
  return startWorker(call, 'hamigrate', async (task, { vmid }) => {
    task.log(`Requesting HA migration for VM ${vmid} to node ${target}`);
    await task.workUsual();
    requestHaMigration(call.sim, vmid, target);
    tellOfMotion(call, `vm:${vmid}`, target, task);
  });
}

/** What the command says that the worker runs. PVE: pve-ha-manager, PVE::CLI::ha_manager as read. */
function tellOfMotion({ sim }: Call, sid: string, target: string, task: TaskContext): void {
  const { along, blockedBy } = motionOf(sim.world, sid);
  const blocking = blockedBy(target);
  if (blocking.length > 0) {
    task.log(`cannot migrate resource '${sid}' to node '${target}':`);
    task.log('');
    for (const each of blocking) {
      task.log(`- resource '${each}' on target node '${target}' in negative affinity with resource '${sid}'`);
    }
    fail(`command 'ha-manager migrate ${sid} ${target}' failed: exit code 255`);
  }
  for (const each of along) {
    task.log(
      `also migrate resource '${each}' in positive affinity with resource '${sid}' to target node '${target}'`,
    );
  }
}
