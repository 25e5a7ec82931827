import { hasOneWay, requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { Failure, deny, fail, failParameters } from '../../failure';
import type { Restore } from '../../guest/backup/restore';
import { reserveRestore, restoreGuest } from '../../guest/backup/restore';
import { prepareSettings, requireStorage, resolveCdrom } from '../../guest/config/config-request';
import { requireKeys, requireOnGuest } from '../../guest/config/key-permissions';
import type { NewGuest } from '../../guest/lifecycle/create';
import { createGuest, reserveGuest } from '../../guest/lifecycle/create';
import { requireNewDevices } from '../../guest/config/device-permissions';
import { isDriveKey } from '../../guest/drives/drive';
import { checkDriveParameters } from '../../guest/drives/checks';
import { completeNet, isNetKey, requireBridges } from '../../guest/keys/net';
import { startGuest } from '../../guest/power/start-stop';
import { isHaManaged, requestHaState } from '../../ha/guest-in-ha';
import { addHaResource } from '../../ha/manager';
import { findNamed } from '../../own-keys';
import { needQuorum } from '../../cluster/quorum';
import type { Sim } from '../../cluster/sim';
import { requireVolumeAccess } from '../../storage/volumes/access';
import { trySplitVolumeId } from '../../storage/volumes/name';
import { requireVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import type { Config } from '../../world';

const NOT_SETTINGS =
  'node vmid archive bwlimit force pool start ha-managed storage unique live-restore import-working-storage';
const isSetting = (key: string): boolean => !NOT_SETTINGS.split(' ').includes(key);

async function create(call: Call): Promise<string> {
  const { sim, user, node, params } = call;
  const vmid = Number(params['vmid']);
  const { pool, storage } = params;
  const settings = Object.fromEntries(Object.entries(params).filter(([key]) => isSetting(key)));
  prepareSettings(settings);
  needQuorum(sim.world);
  requireCreation(call, vmid);
  if (params['archive'] !== undefined) return restore(call, vmid, params['archive'], settings);
  const request: NewGuest = {
    sim,
    user,
    node,
    vmid,
    settings: verify(call, vmid, settings),
    ...(pool === undefined ? {} : { pool }),
    ...(storage === undefined ? {} : { defaultStorage: storage }),
  };
  try {
    await reserveGuest(request);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    fail(`unable to create VM ${vmid} - ${error.message}`);
  }
  return sim.tasks.start({ type: 'qmcreate', id: String(vmid), node, user }, async task => {
    await createGuest(request, task);
    if (params['ha-managed'] === '1') manage(sim, vmid, params['start'] === '1', task);
    if (params['start'] === '1') start(request, task);
  });
}

async function restore(call: Call, vmid: number, archive: string, settings: Config): Promise<string> {
  const { sim, user, node, params } = call;
  const { pool, storage } = params;
  const drive = Object.keys(settings).sort().find(isDriveKey);
  if (drive !== undefined) failParameters({ [drive]: "option conflicts with option 'archive'" });
  if (archive === '-') fail('pipe requires cli environment');
  requireVolumeAccess(sim, user, archive, { vmid, content: 'backup' });
  // the simulated nodes have no files outside of their storages
  if (!trySplitVolumeId(archive)) fail(`can't find file '${archive}'`);
  requireVolume(sim, node, archive);
  const request: Restore = {
    sim,
    user,
    node,
    vmid,
    archive,
    settings: verify(call, vmid, settings),
    force: params['force'] === '1',
    unique: params['unique'] === '1',
    ...(pool === undefined ? {} : { pool }),
    ...(storage === undefined ? {} : { storage }),
  };
  try {
    await reserveRestore(request);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    fail(`unable to restore VM ${vmid} - ${error.message}`);
  }
  return sim.tasks.start({ type: 'qmrestore', id: String(vmid), node, user }, async task => {
    await restoreGuest(request, task);
    if (params['start'] === '1') start({ ...request, settings }, task);
    if (params['ha-managed'] === '1') manageRestored(sim, vmid, params['start'] === '1', task);
  });
}

/** Who may create a guest, before anything is said of its settings. */
function requireCreation({ sim, user, params }: Call, vmid: number): void {
  const { pool, storage } = params;
  if (pool !== undefined && !findNamed(sim.world.pools, pool)) deny(`pool '${pool}' does not exist`);
  if (storage !== undefined) {
    requirePrivileges(sim, user, `/storage/${storage}`, ['Datastore.AllocateSpace']);
  }
  if (params['ha-managed'] === '1') requirePrivileges(sim, user, '/', ['Sys.Console']);
  if (params['start'] === '1') {
    requireOnGuest({ sim, user, vmid, ...(pool === undefined ? {} : { pool }) }, ['VM.PowerMgmt']);
  }
  const paths = [`/vms/${vmid}`, ...(pool === undefined ? [] : [`/pool/${pool}`])];
  const ways = paths.map(path => [{ path, privilege: 'VM.Allocate' }]);
  if (!hasOneWay(sim, user, ways)) deny();
}

/** Checks the settings in Proxmox's order and completes them. */
function verify({ sim, user, params }: Call, vmid: number, settings: Config): Config {
  const { pool, storage } = params;
  const writer = { sim, user, vmid, ...(pool === undefined ? {} : { pool }) };
  resolveCdrom(settings);
  requireStorage(sim, user, vmid, settings, storage);
  requireKeys(writer, Object.keys(settings));
  requireNewDevices(writer, settings);
  requireBridges(sim, user, settings);
  const checked = checkDriveParameters(sim, settings);
  for (const [key, value] of Object.entries(checked)) {
    if (isNetKey(key)) checked[key] = completeNet(sim, value);
  }
  return checked;
}

/** The start is a task of its own; its failure does not fail the creation. */
function start({ sim, user, node, vmid }: NewGuest, task: TaskContext): void {
  task.log('Execute autostart');
  if (isHaManaged(sim, vmid)) {
    // PVE: the start of a guest that the HA manager has goes through the manager, here too
    sim.tasks.start({ type: 'hastart', id: String(vmid), node, user }, async own => {
      own.log(`Requesting HA start for VM ${vmid}`);
      await own.workUsual();
      requestHaState(sim, vmid, 'started');
    });
    return;
  }
  sim.tasks.start({ type: 'qmstart', id: String(vmid), node, user }, own =>
    startGuest(sim, own, { node, vmid }),
  );
}

function manage(sim: Sim, vmid: number, started: boolean, task: TaskContext): void {
  task.log('Add as HA resource');
  const sid = `vm:${vmid}`;
  addHaResource(sim, { sid, state: started ? 'started' : 'stopped', settings: {} });
}

/** A restored guest may have been an HA resource before. PVE: qemu-server, PVE::API2::Qemu as read. */
function manageRestored(sim: Sim, vmid: number, started: boolean, task: TaskContext): void {
  const sid = `vm:${vmid}`;
  const state = started ? 'started' : 'stopped';
  const known = sim.world.ha.resources[sid];
  task.log(`${known ? 'Set' : 'Add'} HA resource with request-state '${state}'`);
  addHaResource(sim, { sid, settings: {}, ...known, state });
}

export const qemuCreateHandlers: HandlerTable = { 'POST /nodes/{node}/qemu': create };
