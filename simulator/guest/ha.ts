import type { Call } from '../call';
import type { Sim } from '../sim';
import type { Guest, HaResource } from '../world';
import { startWorker } from './worker';

/** The guest's HA resource, whatever its state; undefined when there is none. */
export function haResource(sim: Sim, vmid: number): HaResource | undefined {
  return sim.world.ha.resources[`vm:${vmid}`];
}

/** Whether the HA manager decides about this guest's power and place. */
export function isHaManaged(sim: Sim, vmid: number): boolean {
  const resource = haResource(sim, vmid);
  return resource !== undefined && resource.state !== 'ignored';
}

/** The `ha` of status/current. */
export function haStatus(sim: Sim, { vmid }: Guest): Record<string, unknown> {
  if (!isHaManaged(sim, vmid)) return { managed: 0 };
  return { managed: 1, state: haResource(sim, vmid)?.state ?? null };
}

/** Hands a power request over to the HA manager: the task ends at once, the guest follows when the manager acts. */
export function requestHa(call: Call, type: 'hastart' | 'hastop', state: 'started' | 'stopped'): string {
  const word = type === 'hastart' ? 'start' : 'stop';
  return startWorker(call, type, async (task, { vmid }) => {
    task.log(`Requesting HA ${word} for VM ${vmid}`);
    await task.workUsual();
    const resource = haResource(call.sim, vmid);
    if (resource) resource.state = state;
  });
}
