import { hasPrivileges, requirePrivileges } from '../../access/privileges';
import { onlyRoot } from '../../access/root-only';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail, failParameters } from '../../failure';
import { loadGuest } from '../../guest/conf-file/load';
import { placeOf } from '../../guest/place';
import { rebootGuest } from '../../guest/power/reboot';
import { startGuest, stopGuest } from '../../guest/power/start-stop';
import { checkRunning, isPaused } from '../../guest/power/running';
import { stateStorage } from '../../guest/power/saved-state';
import { currentStatus } from '../../guest/power/status';
import { pauseGuest, resetGuest, resumeGuest, suspendToDisk } from '../../guest/power/suspend';
import { startWorker } from '../../guest/worker';
import { isHaManaged } from '../../ha/guest-in-ha';
import { requestHaPower } from '../../guest/ha-worker';
import { needQuorum } from '../../cluster/quorum';

const STATUS = '/nodes/{node}/qemu/{vmid}/status';
const ROOT_START_OPTIONS = [
  'stateuri',
  'skiplock',
  'migratedfrom',
  'migration_type',
  'migration_network',
  'targetstorage',
  'force-cpu',
  'with-conntrack-state',
  'nets-host-mtu',
];

/** The power of virtual machines: what they do now, and the buttons. */
export const qemuStatusHandlers: HandlerTable = {
  [`GET ${STATUS}`]: index,
  [`GET ${STATUS}/current`]: call => currentStatus(call.sim, loadGuest(call.sim, ...address(call))),
  [`POST ${STATUS}/start`]: start,
  [`POST ${STATUS}/stop`]: stop,
  [`POST ${STATUS}/shutdown`]: shutdown,
  [`POST ${STATUS}/reboot`]: reboot,
  [`POST ${STATUS}/reset`]: reset,
  [`POST ${STATUS}/suspend`]: suspend,
  [`POST ${STATUS}/resume`]: resume,
};

function address(call: Call): [string, number] {
  const { node, vmid } = placeOf(call);
  return [node, vmid];
}

function index(call: Call): unknown {
  loadGuest(call.sim, ...address(call));
  const verbs = ['current', 'start', 'stop', 'reset', 'shutdown', 'suspend', 'reboot'];
  return verbs.map(subdir => ({ subdir }));
}

const isSet = (call: Call, name: string): boolean => call.params[name] === '1';

function seconds(call: Call): number | undefined {
  const given = call.params['timeout'];
  return given === undefined ? undefined : Number(given);
}

function start(call: Call): string {
  const { sim, params } = call;
  onlyRoot(call, ...ROOT_START_OPTIONS);
  if (params['targetstorage'] !== undefined && params['migratedfrom'] === undefined) {
    failParameters({ targetstorage: 'targetstorage can only by used with migratedfrom.' });
  }
  needQuorum(sim.world);
  if (isHaManaged(sim, placeOf(call).vmid)) return requestHaPower(call, 'hastart');
  const skiplock = isSet(call, 'skiplock');
  return startWorker(call, 'qmstart', (task, place) => startGuest(sim, task, place, { skiplock }));
}

function stop(call: Call): string {
  const { sim } = call;
  onlyRoot(call, 'skiplock', 'keepActive', 'migratedfrom');
  const overrule = isSet(call, 'overrule-shutdown');
  if (isHaManaged(sim, placeOf(call).vmid)) {
    if (overrule) failParameters({ 'overrule-shutdown': 'Not applicable for HA resources.' });
    return requestHaPower(call, 'hastop');
  }
  const skiplock = isSet(call, 'skiplock');
  return startWorker(call, 'qmstop', async (task, place) => {
    const overruled = overrule ? await abortShutdowns(call) : [];
    if (overruled.length > 0) task.log(`overruled qmshutdown tasks: ${overruled.join(', ')}`);
    await stopGuest(sim, task, place, { timeout: seconds(call), skiplock });
  });
}

/** Stops the running shutdowns of the guest that this caller may stop, and gives their UPIDs. */
async function abortShutdowns({ sim, user, node, params }: Call): Promise<string[]> {
  const mayStopAll = hasPrivileges(sim, user, `/nodes/${node}`, ['Sys.Modify']);
  const found = sim.tasks
    .all()
    .filter(task => task.status === 'running' && task.type === 'qmshutdown' && task.node === node)
    .filter(task => task.id === params['vmid'] && (mayStopAll || task.user === user.split('!')[0]));
  for (const { upid } of found) {
    sim.tasks.stop(upid);
    await sim.tasks.ended(upid);
  }
  return found.map(({ upid }) => upid);
}

function shutdown(call: Call): string {
  const { sim } = call;
  const place = placeOf(call);
  onlyRoot(call, 'skiplock', 'keepActive');
  const force = isSet(call, 'forceStop');
  const paused = isPaused(sim, place.node, place.vmid);
  if (paused && !force) fail('VM is paused - cannot shutdown');
  if (isHaManaged(sim, place.vmid)) return requestHaPower(call, 'hastop', seconds(call) ?? 60);
  const skiplock = isSet(call, 'skiplock');
  return startWorker(call, 'qmshutdown', task =>
    stopGuest(sim, task, place, { shutdown: !paused, force, timeout: seconds(call), skiplock }),
  );
}

function requireRunning(call: Call): void {
  const { node, vmid } = placeOf(call);
  if (!checkRunning(call.sim, node, vmid)) fail(`VM ${vmid} not running`);
}

function reboot(call: Call): string {
  const { node, vmid } = placeOf(call);
  if (isPaused(call.sim, node, vmid)) fail('VM is paused - cannot shutdown');
  requireRunning(call);
  return startWorker(call, 'qmreboot', (task, place) => rebootGuest(call.sim, task, place, seconds(call)));
}

function reset(call: Call): string {
  onlyRoot(call, 'skiplock');
  requireRunning(call);
  const skiplock = isSet(call, 'skiplock');
  return startWorker(call, 'qmreset', (task, place) => resetGuest(call.sim, task, place, skiplock));
}

function suspend(call: Call): string {
  const { sim, user, params } = call;
  onlyRoot(call, 'skiplock');
  requireRunning(call);
  const skiplock = isSet(call, 'skiplock');
  if (!isSet(call, 'todisk')) {
    return startWorker(call, 'qmpause', (task, place) => pauseGuest(sim, task, place, skiplock));
  }
  const { node, vmid } = placeOf(call);
  if (isHaManaged(sim, vmid)) fail('Cannot suspend HA managed VM to disk');
  requirePrivileges(sim, user, `/vms/${vmid}`, ['VM.Config.Disk']);
  const guest = loadGuest(sim, node, vmid);
  if (Object.keys(guest.config).some(key => /^hostpci\d+$/.test(key))) {
    fail(
      'cannot suspend VM to disk due to passed-through PCI device(s), which lack the possibility to save/restore their internal state',
    );
  }
  const storage = params['statestorage'] ?? stateStorage(sim, guest);
  requirePrivileges(sim, user, `/storage/${storage}`, ['Datastore.AllocateSpace']);
  return startWorker(call, 'qmsuspend', (task, place) =>
    suspendToDisk(sim, task, place, { storage, skiplock }),
  );
}

function resume(call: Call): string {
  const { sim } = call;
  onlyRoot(call, 'skiplock', 'nocheck');
  const { node, vmid } = placeOf(call);
  const guest = sim.world.guests[vmid];
  const onDisk = guest?.node === node && guest.config['lock'] === 'suspended';
  if (!onDisk) requireRunning(call);
  const skiplock = isSet(call, 'skiplock');
  return startWorker(call, 'qmresume', (task, place) =>
    onDisk ? startGuest(sim, task, place, { skiplock }) : resumeGuest(sim, task, place, skiplock),
  );
}
