import type { Call } from '../cluster/call';
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

/** Hands a migration over to the HA manager; the task ends at once. */
export function requestHaMove(call: Call, target: string): string {
  return startWorker(call, 'hamigrate', async (task, { vmid }) => {
    task.log(`Requesting HA migration for VM ${vmid} to node ${target}`);
    await task.workUsual();
    requestHaMigration(call.sim, vmid, target);
  });
}
