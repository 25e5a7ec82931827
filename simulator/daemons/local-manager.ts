import { migrateGuest } from '../guest/migrate/migrate';
import { startGuest, stopGuest } from '../guest/power/start-stop';
import type { Sim } from '../cluster/sim';
import { findNamed } from '../own-keys';
import type { TaskContext } from '../tasks/task';
import type { Guest } from '../world';
import type { HaService } from '../world-ha';

/** How long a guest may take to shut down before its plug is pulled. */
const SHUTDOWN_SECONDS = 60;

/** One round of each node's local resource manager: starts, stops and moves guests as the states ask. */
export function localRound(sim: Sim): void {
  if (sim.world.ha.disarmed) return;
  for (const [sid, service] of Object.entries(sim.world.ha.services)) {
    const guest = sim.world.guests[Number(sid.split(':')[1])];
    const node = sim.world.nodes.find(({ name }) => name === service.node);
    if (!guest || !node?.online || guest.node !== service.node) continue;
    if (service.upid !== undefined && sim.tasks.find(service.upid)?.status === 'running') continue;
    // PVE: LRM.pm reads the resources itself; one that is gone is let alone, before the manager's next round says so
    if (!findNamed(sim.world.ha.resources, sid)) continue;
    // containers are let alone (assumed): what is asked of one counts as done
    if (guest.type === 'lxc') {
      service.done = true;
      continue;
    }
    ACTS[service.state]?.(sim, guest, service);
  }
}

const ACTS: Record<string, (sim: Sim, guest: Guest, service: HaService) => void> = {
  started: (sim, guest, service) => {
    if (isUp(guest)) {
      service.done = true;
      service.failures = 0;
      return;
    }
    work(
      sim,
      guest,
      service,
      'qmstart',
      task => startGuest(sim, task, guest),
      () => (service.failures += 1),
    );
  },
  request_stop: stop,
  // also a guest that somebody started by hand is stopped again (recording d0, step 23)
  stopped: stop,
  migrate: (sim, guest, service) => move(sim, guest, service, isUp(guest)),
  relocate: (sim, guest, service) =>
    isUp(guest) ? stop(sim, guest, service) : move(sim, guest, service, false),
};

/** Whether it counts as running. PVE: Resources/PVEVM.pm, not while its process stands still for a backup. */
function isUp({ running, config }: Guest): boolean {
  return running !== null && !(config['lock'] === 'backup' && running.qmp === 'prelaunch');
}

function stop(sim: Sim, guest: Guest, service: HaService): void {
  if (!isUp(guest)) {
    service.done = service.state !== 'relocate';
    return;
  }
  const timeout = service.timeout ?? SHUTDOWN_SECONDS;
  const wishes = timeout > 0 ? { shutdown: true, force: true, timeout } : {};
  work(sim, guest, service, timeout > 0 ? 'qmshutdown' : 'qmstop', task =>
    stopGuest(sim, task, guest, wishes),
  );
}

function move(sim: Sim, guest: Guest, service: HaService, online: boolean): void {
  const { target } = service;
  if (service.done || target === undefined) return;
  const how = { storages: undefined, bwlimit: 0, force: false, conntrack: false };
  const journey = { target, withLocalDisks: online, ...how };
  const place = { node: guest.node, vmid: guest.vmid };
  work(sim, guest, service, 'qmigrate', async task => {
    try {
      await migrateGuest(sim, task, place, journey);
    } finally {
      service.done = true;
    }
  });
}

/** Starts a worker for the service, as root@pam on the guest's node. */
function work(
  sim: Sim,
  { vmid, node }: Guest,
  service: HaService,
  type: string,
  act: (task: TaskContext) => Promise<void>,
  onFailure: () => void = () => undefined,
): void {
  service.upid = sim.tasks.start({ type, id: String(vmid), node, user: 'root@pam' }, async task => {
    try {
      await act(task);
    } catch (error) {
      onFailure();
      throw error;
    }
  });
}
