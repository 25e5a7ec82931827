import type { Sim } from '../cluster/sim';
import type { Guest } from '../world';
import type { HaResource, HaService } from '../world-ha';

/** The guest's HA resource; undefined when there is none. */
export function haResourceOf(sim: Sim, vmid: number): HaResource | undefined {
  const { resources } = sim.world.ha;
  const type = sim.world.guests[vmid]?.type === 'lxc' ? 'ct' : 'vm';
  return resources[`${type}:${vmid}`];
}

/** Whether the HA manager decides about this guest. A resource that is ignored counts as none. */
export function isHaManaged(sim: Sim, vmid: number): boolean {
  const resource = haResourceOf(sim, vmid);
  const isLetGo = sim.world.ha.disarmed?.mode === 'ignore';
  return !isLetGo && resource !== undefined && resource.state !== 'ignored';
}

/** The state that is asked of a resource. */
export function requestedState(resource: HaResource): string {
  const state = resource.state ?? 'started';
  return state === 'enabled' ? 'started' : state;
}

/** What the manager last said of a guest; undefined until its first round after the resource was made. */
export function haServiceOf(sim: Sim, vmid: number): HaService | undefined {
  const resource = haResourceOf(sim, vmid);
  return resource && sim.world.ha.services[resource.sid];
}

/** The `ha` of a guest's status/current. */
export function haStatus(sim: Sim, { vmid }: Guest): Record<string, unknown> {
  if (!isHaManaged(sim, vmid)) return { managed: 0 };
  return { managed: 1, state: haServiceOf(sim, vmid)?.state ?? null };
}

/**
 * Asks for a state, as a power request on a managed guest does. `started` is written at once; `stopped` waits for
 * the manager's next round, and the resource reads `started` until then. Fails on no guest; the guest must be managed.
 */
export function requestHaState(sim: Sim, vmid: number, state: 'started' | 'stopped', timeout = 0): void {
  const resource = haResourceOf(sim, vmid);
  if (!resource) return;
  if (state === 'started') resource.state = 'started';
  else sim.world.ha.commands.push({ sid: resource.sid, kind: 'stop', timeout, at: sim.clock.now() });
}

/** Asks the manager to move a managed guest in its next round: running, or with `relocate` stopped and started. */
export function requestHaMigration(sim: Sim, vmid: number, target: string, relocate = false): void {
  const resource = haResourceOf(sim, vmid);
  if (!resource) return;
  sim.world.ha.commands.push({
    sid: resource.sid,
    kind: relocate ? 'relocate' : 'migrate',
    target,
    at: sim.clock.now(),
  });
}
