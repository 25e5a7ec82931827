import { isRootUser, requirePrivileges } from '../../access/privileges';
import { onlyRoot } from '../../access/root-only';
import type { Call, HandlerTable } from '../../cluster/call';
import { refuseToLeaveReplicas } from '../../cluster/guest-jobs';
import { Failure, fail, failParameters } from '../../failure';
import { checkLock, loadGuest } from '../../guest/conf-file/load';
import { drivesOf } from '../../guest/drives/drive';
import { migrateGuest } from '../../guest/migrate/migrate';
import { preflight } from '../../guest/migrate/preflight';
import { placeOf } from '../../guest/place';
import { startWorker } from '../../guest/worker';
import { isHaManaged } from '../../ha/guest-in-ha';
import { requestHaMove } from '../../guest/ha-worker';
import { needQuorum } from '../../cluster/quorum';
import type { Sim } from '../../cluster/sim';
import type { StorageMap } from '../../storage/mapping';
import { parseStorageMap } from '../../storage/mapping';
import { contentOf, storageOn } from '../../storage/on-node';
import { trySplitVolumeId } from '../../storage/volumes/name';
import type { Guest } from '../../world';

const MIGRATE = '/nodes/{node}/qemu/{vmid}/migrate';

/** Moving virtual machines from node to node. */
export const qemuMigrateHandlers: HandlerTable = {
  [`GET ${MIGRATE}`]: call => {
    needQuorum(call.sim.world);
    const { node, vmid } = placeOf(call);
    const guest = loadGuest(call.sim, node, vmid);
    checkLock(guest);
    return preflight(call.sim, guest);
  },
  [`POST ${MIGRATE}`]: migrate,
};

function migrate(call: Call): string {
  const { sim, params } = call;
  const { node, vmid } = placeOf(call);
  const target = params['target'] ?? '';
  if (target === node) failParameters({ target: 'target is local node.' });
  needQuorum(sim.world);
  if (!sim.world.nodes.some(({ name }) => name === target)) fail(`no such cluster node '${target}'`);
  onlyRoot(call, 'force', 'migration_type', 'migration_network');
  const guest = loadGuest(sim, node, vmid);
  checkLock(guest);
  if (guest.running && params['online'] !== '1') fail("can't migrate running VM without --online");
  if (guest.running && params['force'] !== '1') refuseToLeaveReplicas(sim.world, vmid, target);
  const storages = storageMapOf(call, guest, target);
  if (isHaManaged(sim, vmid)) return requestHaMove(call, target);
  const journey = {
    target,
    withLocalDisks: params['with-local-disks'] === '1',
    storages,
    bwlimit: Number(params['bwlimit'] ?? 0),
    force: params['force'] === '1',
    conntrack: params['with-conntrack-state'] === '1',
  };
  return startWorker(call, 'qmigrate', (task, place) => migrateGuest(sim, task, place, journey));
}

function storageMapOf({ sim, params, user }: Call, guest: Guest, target: string): StorageMap | undefined {
  const text = params['targetstorage'] ?? '';
  if (text === '') {
    checkStorages(sim, guest, target);
    return undefined;
  }
  const map = parseMap(text);
  if (!map.identity) requirePrivileges(sim, user, `/vms/${guest.vmid}`, ['VM.Config.Disk']);
  const targets = [...Object.values(map.entries), ...(map.fallback === undefined ? [] : [map.fallback])];
  for (const id of targets) checkTargetStorage(sim, user, id, target);
  if (map.identity) checkStorages(sim, guest, target);
  return map;
}

function parseMap(text: string): StorageMap {
  try {
    return parseStorageMap(text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failParameters({ targetstorage: `failed to parse storage map: ${error.message.trimEnd()}\n` });
  }
}

function checkTargetStorage(sim: Sim, user: string, id: string, target: string): void {
  const storage = storageOn(sim, target, id);
  if (!isRootUser(user)) requirePrivileges(sim, user, `/storage/${id}`, ['Datastore.AllocateSpace']);
  if (!contentOf(storage).includes('images')) {
    failParameters({ storage: `storage '${id}' does not support vm images` });
  }
}

/** Fails unless every storage of the guest's drives is there on both nodes. */
function checkStorages(sim: Sim, guest: Guest, target: string): void {
  for (const { file } of drivesOf(guest.config)) {
    const id = trySplitVolumeId(file)?.storage;
    if (id === undefined) continue;
    storageOn(sim, guest.node, id);
    storageOn(sim, target, id);
  }
}
