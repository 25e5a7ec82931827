import { requirePrivileges } from './privileges';
import type { Call } from '../cluster/call';
import { fail } from '../failure';
import { findNamed } from '../own-keys';
import { splitList } from '../perl-text';
import type { Pool, World } from '../world';

/** Adds the guests and storages of the request to the pool, or takes them out. All or nothing; they need not exist. */
export function addMembers(call: Call, pool: Pool): void {
  const { vms, storage, delete: remove } = call.params;
  const before = structuredClone(call.sim.world.pools);
  try {
    for (const vmid of splitList(vms)) {
      mayModify(call, `/vms/${vmid}`, 'VM.Allocate');
      if (remove === '1') removeGuest(pool, Number(vmid));
      else addGuest(call, pool, Number(vmid));
    }
    for (const id of splitList(storage)) {
      mayModify(call, `/storage/${id}`, 'Datastore.Allocate');
      if (remove === '1') removeStorage(pool, id);
      else addStorage(pool, id);
    }
  } catch (error) {
    Object.entries(before).forEach(([poolid, old]) => Object.assign(call.sim.world.pools[poolid] ?? {}, old));
    throw error;
  }
}

function mayModify({ sim, user }: Call, path: string, owner: string): void {
  requirePrivileges(sim, user, path, ['Permissions.Modify', owner], true);
}

function addGuest({ sim, user, params }: Call, pool: Pool, vmid: number): void {
  if (pool.vms.includes(vmid)) fail(`VM ${vmid} is already a pool member`);
  const other = Object.entries(sim.world.pools).find(([, { vms }]) => vms.includes(vmid));
  if (other) {
    const [poolid, { vms }] = other;
    if (params['allow-move'] !== '1') {
      fail(`VM ${vmid} belongs already to pool '${poolid}' and 'allow-move' is not set`);
    }
    requirePrivileges(sim, user, `/pool/${poolid}`, ['Pool.Allocate']);
    vms.splice(vms.indexOf(vmid), 1);
  }
  pool.vms.push(vmid);
}

/** Puts a guest that was just made into the pool that was asked for. A pool names each member once, also one that is not there. */
export function enterPool({ pools }: World, poolid: string | undefined, vmid: number): void {
  const pool = poolid === undefined ? undefined : findNamed(pools, poolid);
  if (pool && !pool.vms.includes(vmid)) pool.vms.push(vmid);
}

function removeGuest({ vms }: Pool, vmid: number): void {
  if (!vms.includes(vmid)) fail(`VM ${vmid} is not a pool member`);
  vms.splice(vms.indexOf(vmid), 1);
}

function addStorage({ storages }: Pool, id: string): void {
  if (storages.includes(id)) fail(`Storage '${id}' is already a pool member`);
  storages.push(id);
}

function removeStorage({ storages }: Pool, id: string): void {
  if (!storages.includes(id)) fail(`Storage '${id}' is not a pool member`);
  storages.splice(storages.indexOf(id), 1);
}
