import { hasPrivileges, requirePrivileges } from '../access/privileges';
import type { Call, HandlerTable } from '../cluster/call';
import { fail } from '../failure';
import { addMembers } from '../access/change-members';
import { poolMembers } from '../views/pool-members';
import { needQuorum } from '../cluster/quorum';
import { changing } from '../cluster/section-change';
import type { Pool } from '../world';
import { findNamed, putNamed } from '../own-keys';

export const poolHandlers: HandlerTable = {
  'GET /pools': call => {
    const { poolid } = call.params;
    if (poolid !== undefined) return [poolInfo(call, poolid)];
    return listPools(call);
  },
  'GET /pools/{poolid}': call => poolInfo(call, call.params['poolid'] ?? ''),
  'POST /pools': ({ sim, params: { poolid = '', comment } }) =>
    changing('create pool failed', () => {
      const { world } = sim;
      needQuorum(world, NO_QUORUM);
      if (Object.hasOwn(world.pools, poolid)) fail(`pool '${poolid}' already exists`);
      const parent = /^(.*)\/[^/]+$/.exec(poolid)?.[1];
      if (parent !== undefined && !Object.hasOwn(world.pools, parent)) {
        fail(`parent '${parent}' of pool '${poolid}' does not exist`);
      }
      const pool: Pool = { vms: [], storages: [] };
      setComment(pool, comment);
      putNamed(world.pools, poolid, pool);
    }),
  'PUT /pools': updatePool,
  'PUT /pools/{poolid}': updatePool,
  'DELETE /pools': deletePool,
  'DELETE /pools/{poolid}': deletePool,
};

const NO_QUORUM = "cfs-lock 'file-user_cfg' error: no quorum!";

function findPool({ sim }: Call, poolid: string): Pool {
  const pool = findNamed(sim.world.pools, poolid);
  return pool ?? fail(`pool '${poolid}' does not exist`);
}

function setComment(pool: Pool, comment: string | undefined): void {
  if (comment === undefined) return;
  if (comment === '') delete pool.comment;
  else pool.comment = comment;
}

function listPools({ sim, user }: Call): Record<string, unknown>[] {
  return Object.entries(sim.world.pools)
    .filter(([poolid]) => hasPrivileges(sim, user, `/pool/${poolid}`, ['Pool.Audit']))
    .map(([poolid, { comment }]) => ({ poolid, ...(comment !== undefined && { comment }) }));
}

function poolInfo(call: Call, poolid: string): Record<string, unknown> {
  requirePrivileges(call.sim, call.user, `/pool/${poolid}`, ['Pool.Audit']);
  const pool = findPool(call, poolid);
  const members = poolMembers(call, pool);
  return { poolid, members, ...(pool.comment !== undefined && { comment: pool.comment }) };
}

function updatePool(call: Call): null {
  const { poolid = '', comment } = call.params;
  return changing('update pools failed', () => {
    needQuorum(call.sim.world, NO_QUORUM);
    const pool = findPool(call, poolid);
    addMembers(call, pool);
    setComment(pool, comment);
  });
}

function deletePool(call: Call): null {
  const { poolid = '' } = call.params;
  const { world } = call.sim;
  return changing('delete pool failed', () => {
    needQuorum(world, NO_QUORUM);
    const pool = findPool(call, poolid);
    const child = Object.keys(world.pools).find(name => name.startsWith(`${poolid}/`));
    if (child !== undefined) fail(`pool '${poolid}' is not empty (contains pool '${child}')`);
    // members that are gone do not count; of the others Perl's hash names any, this program the first
    const vmid = pool.vms.filter(member => world.guests[member]).sort((one, other) => one - other)[0];
    if (vmid !== undefined) fail(`pool '${poolid}' is not empty (contains VM ${vmid})`);
    const storage = pool.storages.find(member => world.storages.some(each => each.storage === member));
    if (storage !== undefined) fail(`pool '${poolid}' is not empty (contains storage '${storage}')`);
    delete world.pools[poolid];
    world.access.acl = world.access.acl.filter(({ path }) => path !== `/pool/${poolid}`);
  });
}
