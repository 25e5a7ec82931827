import type { ClusterSession, Params, Row } from './session';

/** Something that stands in a cluster and that a recording could have made. */
export interface Item {
  kind: string;
  /** How a recording names it. */
  name: string;
  remove: { method: 'PUT' | 'DELETE'; path: string; params?: Params };
  /** The node of a guest or a volume. */
  node?: string;
}

export const keyOf = ({ kind, name, node }: Item): string => [kind, name, node ?? ''].join(' ').trim();

const path = (...parts: unknown[]): string =>
  `/${parts.map(part => encodeURIComponent(String(part))).join('/')}`;

/** Lists whose rows are named by one field, in the order in which they can be removed. */
const LISTS: { kind: string; list: string; field: string }[] = [
  { kind: 'HA rule', list: '/cluster/ha/rules', field: 'rule' },
  { kind: 'HA resource', list: '/cluster/ha/resources', field: 'sid' },
  { kind: 'pool', list: '/pools', field: 'poolid' },
  { kind: 'user', list: '/access/users', field: 'userid' },
  { kind: 'group', list: '/access/groups', field: 'groupid' },
  { kind: 'role', list: '/access/roles', field: 'roleid' },
  { kind: 'storage', list: '/storage', field: 'storage' },
  { kind: 'firewall alias', list: '/cluster/firewall/aliases', field: 'name' },
  { kind: 'firewall ipset', list: '/cluster/firewall/ipset', field: 'name' },
  { kind: 'firewall group', list: '/cluster/firewall/groups', field: 'group' },
];

/** All of a cluster that a recording could have made or changed, in the order in which it can be removed. */
export async function takeInventory(session: ClusterSession): Promise<Item[]> {
  const nodes = (await session.rows('/nodes')).filter(({ status }) => status === 'online');
  const names = nodes.map(({ node }) => String(node));
  const lists: Item[] = [];
  for (const { kind, list, field } of LISTS) {
    for (const row of await session.rows(list)) {
      // a role that is built in
      if (row['special'] === 1) continue;
      const name = String(row[field]);
      lists.push({ kind, name, remove: { method: 'DELETE', path: `${list}${path(name)}` } });
    }
  }
  const isHa = ({ kind }: Item): boolean => kind.startsWith('HA ');
  return [
    ...lists.filter(isHa),
    ...(await guests(session, names)),
    ...(await volumes(session, names)),
    ...(await permissions(session)),
    ...lists.filter(item => !isHa(item)),
  ];
}

async function guests(session: ClusterSession, nodes: string[]): Promise<Item[]> {
  const found: Item[] = [];
  for (const node of nodes) {
    for (const type of ['qemu', 'lxc']) {
      for (const { vmid } of await session.rows(path('nodes', node, type))) {
        const params = { purge: 1, 'destroy-unreferenced-disks': 1, ...(type === 'qemu' && { skiplock: 1 }) };
        const remove = { method: 'DELETE' as const, path: path('nodes', node, type, vmid), params };
        found.push({ kind: 'guest', name: String(vmid), node, remove });
      }
    }
  }
  return found;
}

async function volumes(session: ClusterSession, nodes: string[]): Promise<Item[]> {
  const found: Item[] = [];
  for (const node of nodes) {
    for (const { storage, active, enabled } of await session.rows(path('nodes', node, 'storage'))) {
      if (active !== 1 || enabled !== 1) continue;
      const list = path('nodes', node, 'storage', storage, 'content');
      for (const { volid } of await session.rows(list)) {
        const remove = { method: 'DELETE' as const, path: `${list}${path(volid)}` };
        found.push({ kind: 'volume', name: String(volid), node, remove });
      }
    }
  }
  return found;
}

async function permissions(session: ClusterSession): Promise<Item[]> {
  return (await session.rows('/access/acl')).map(row => {
    const params = {
      path: String(row['path']),
      roles: String(row['roleid']),
      [`${String(row['type'])}s`]: String(row['ugid']),
      delete: 1,
    };
    return {
      kind: 'permission',
      name: permissionName(row),
      remove: { method: 'PUT', path: '/access/acl', params },
    };
  });
}

export const permissionName = ({ path: at, roleid, ugid }: Row): string =>
  [at, roleid, ugid].map(String).join(' ');
