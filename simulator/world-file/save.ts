import type { Guest, World } from '../world';

const NODE = ['name', 'nodeid', 'ip', 'online', 'apiUp', 'bridges', 'cpus', 'memory', 'bootedAt'] as const;
const RUNNING = ['pid', 'since', 'qmp', 'machine', 'cards'] as const;
const GROUP = ['nodes', 'comment', 'nofailback', 'restricted'];

/**
 * The world as a file that `loadWorld` reads. What the format does not have is left out: firewalls, options of nodes, what the
 * HA manager is about to do. Tasks and tickets are not of the world.
 */
export function saveWorld(world: World): object {
  const { version, cluster, authority, nodes, storages, volumes, guests, pools, ha, datacenter } = world;
  return {
    version,
    cluster,
    authority,
    // the first is the one that answers
    nodes: nodes.map((node, index) => ({ ...only(node, NODE), ...(index === 0 ? { local: true } : {}) })),
    storages,
    // a volume's storage stands in its volid
    volumes: volumes.map(({ storage: _storage, node, ...volume }) => ({ node: node ?? '*', ...volume })),
    guests: Object.values(guests).map(saveGuest),
    pools: Object.entries(pools).map(([poolid, pool]) => ({ poolid, ...pool })),
    ...saveAccess(world),
    ha: saveHa(ha),
    datacenter_cfg: datacenter,
    backupJobs: world.backupJobs,
    replicationJobs: world.replicationJobs,
    devices: world.devices,
    downloads: world.downloads,
  };
}

function saveGuest({ running, cloudInitImage, files: _files, ...guest }: Guest): object {
  return {
    ...guest,
    running: running === null ? false : only(running, RUNNING),
    ...(cloudInitImage === null ? {} : { cloudInitImage }),
  };
}

function saveAccess({ access: { realms, users, groups, roles, acl } }: World): object {
  const tokens = Object.entries(users).flatMap(([owner, user]) =>
    Object.entries(user.tokens).map(([name, token]) => [`${owner}!${name}`, token] as const),
  );
  return {
    realms,
    users: Object.fromEntries(
      Object.entries(users).map(([id, { tokens: _tokens, ...user }]) => [id, user] as const),
    ),
    tokens: Object.fromEntries(tokens),
    groups,
    roles: Object.fromEntries(Object.entries(roles).map(([id, privileges]) => [id, privileges.join(',')])),
    acl,
  };
}

function saveHa({ resources, rules, groups }: World['ha']): object {
  const shown = groups && Object.entries(groups).map(([id, group]) => [id, only(group, GROUP)] as const);
  return {
    resources: Object.values(resources),
    rules: Object.entries(rules).map(([rule, { type, settings }]) => ({ rule, type, settings })),
    ...(shown && { groups: Object.fromEntries(shown) }),
  };
}

/** The fields of these names that are there. */
function only(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
