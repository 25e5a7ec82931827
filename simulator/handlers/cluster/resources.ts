import { hasPrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import type { Row } from '../../views/resource-rows';
import { guestRow, markLive, nodeRow, poolsByGuest, storageRow, storagesOf } from '../../views/resource-rows';
import { seenOnline } from '../../cluster/seen-online';
import { bytesInUse } from '../../views/statistics';
import { guestVisibility, poolVisibility } from '../../views/visible-guests';

export const clusterResourcesHandlers: HandlerTable = {
  'GET /cluster/resources': call => {
    const { type } = call.params;
    const pools = type === undefined ? poolRows(call) : new Map<string, Row>();
    const wanted = (name: string): boolean => type === undefined || type === name;
    const guests = wanted('vm') ? guestRows(call, pools) : [];
    return [
      ...pools.values(),
      ...guests,
      ...(wanted('node') ? nodeRows(call) : []),
      ...(wanted('storage') ? storageRows(call) : []),
      // the zone of the bridges stands in the whole list only, not under type=sdn (recording c1, steps 8 and 11)
      ...(type === undefined ? networkRows(call) : []),
    ];
  },
};

function poolRows({ sim, user }: Call): Map<string, Row> {
  const visible = Object.keys(sim.world.pools).filter(poolVisibility(sim, user));
  return new Map(visible.map(pool => [pool, { id: `/pool/${pool}`, pool, type: 'pool' }]));
}

function guestRows({ sim, user }: Call, pools: Map<string, Row>): Row[] {
  const poolOf = poolsByGuest(sim);
  const mayAudit = poolVisibility(sim, user);
  const isVisible = guestVisibility(sim, user);
  const rows: Row[] = [];
  for (const guest of Object.values(sim.world.guests)) {
    const poolid = poolOf.get(guest.vmid);
    const pool = poolid === undefined ? undefined : pools.get(poolid);
    const visible = isVisible(guest.vmid);
    if (!visible && !pool) continue;
    const row = guestRow(sim, guest);
    if (pool) addToPool(pool, row);
    if (!visible) continue;
    // recording g1, step 7: the name of a pool is for those who may see the pool
    markLive(sim, row, guest, poolid !== undefined && mayAudit(poolid) ? poolid : undefined);
    rows.push(row);
  }
  return rows;
}

/** A pool shows the sum of its running guests; one without has no numbers. */
function addToPool(pool: Row, guest: Row): void {
  if (guest['status'] !== 'running') return;
  const sum = (key: string): number => Number(pool[key] ?? 0) + Number(guest[key] ?? 0);
  const load = (row: Row): number => Number(row['cpu'] ?? 0) * Number(row['maxcpu'] ?? 0);
  const maxcpu = sum('maxcpu');
  Object.assign(pool, {
    uptime: Math.max(Number(pool['uptime'] ?? 0), Number(guest['uptime'])),
    mem: sum('mem'),
    maxmem: sum('maxmem'),
    cpu: maxcpu === 0 ? 0 : (load(pool) + load(guest)) / maxcpu,
    maxcpu,
  });
}

function nodeRows({ sim, user, node: from }: Call): Row[] {
  return sim.world.nodes.map(node => ({
    ...nodeRow(sim, from, node, user),
    hastate: seenOnline(sim, from, node) ? 'online' : 'unknown',
    'cgroup-mode': 2,
  }));
}

function storageRows({ sim, user, node: from }: Call): Row[] {
  const inUse = bytesInUse(sim.world);
  return sim.world.nodes.flatMap(node =>
    storagesOf(sim, node.name)
      .filter(({ storage }) => hasPrivileges(sim, user, `/storage/${storage}`, ['Datastore.Audit']))
      .map(storage => storageRow(sim, from, node, storage, inUse(node.name, storage))),
  );
}

function networkRows({ sim, user, node: from }: Call): Row[] {
  if (!hasPrivileges(sim, user, '/sdn/zones/localnetwork', ['SDN.Audit'])) return [];
  return sim.world.nodes
    .filter(node => seenOnline(sim, from, node))
    .map(({ name }) => ({
      id: `network/${name}/zone/localnetwork`,
      network: 'localnetwork',
      'network-type': 'zone',
      node: name,
      status: 'ok',
      type: 'network',
    }));
}
