import type { World } from '../world';
import { PRIVILEGES, privilegesOf, SPECIAL_ROLES } from '../schema/formats/privilege-list';
import type { Roles } from './roles-on';
import { rolesOn } from './roles-on';
import { findNamed } from '../own-keys';

/** Privileges on one path, each with its propagation flag as Proxmox shows it. */
export type Permissions = Record<string, 0 | 1>;

const ALL = new Map<string, Permissions>();

/** All privileges of a release; made once, because each check of root and of his tokens asks for it. */
function everything({ version: { release } }: World): Permissions {
  const known = ALL.get(release);
  if (known) return known;
  const made: Permissions = Object.fromEntries(
    privilegesOf(release, PRIVILEGES).map(privilege => [privilege, 1]),
  );
  ALL.set(release, Object.freeze(made));
  return made;
}

/** The privileges of a role; none for a role that does not exist. */
export function privilegesOfRole(world: World, role: string): string[] {
  const special = findNamed(SPECIAL_ROLES, role);
  if (special) return privilegesOf(world.version.release, special);
  return findNamed(world.access.roles, role) ?? [];
}

/** What a user or a token may do on a path. For root@pam it is everything, also on a path that is none. */
export function permissionsOn(world: World, user: string, path: string): Permissions {
  if (user === 'root@pam') return everything(world);
  if (!path.startsWith('/')) return {};
  const [owner = '', tokenid] = user.split('!');
  if (tokenid === undefined) return granted(world, user, path);
  const token = world.access.users[owner]?.tokens[tokenid];
  if (!token) return {};
  const ofOwner = permissionsOn(world, owner, path);
  if (!token.privsep) return ofOwner;
  const own = Object.entries(granted(world, user, path));
  return Object.fromEntries(
    own
      .filter(([privilege]) => ofOwner[privilege] !== undefined)
      .map(([privilege, flag]) => [privilege, ofOwner[privilege] === 1 && flag === 1 ? 1 : 0]),
  );
}

function granted(world: World, user: string, path: string): Permissions {
  const permissions: Permissions = {};
  for (const [role, propagate] of withPools(world, user, path, rolesOn(world, user, path))) {
    for (const privilege of privilegesOfRole(world, role)) {
      permissions[privilege] = permissions[privilege] === 1 || propagate ? 1 : 0;
    }
  }
  return permissions;
}

/** Adds the roles on the pools that hold this guest or storage; they never propagate. NoAccess beats all. */
function withPools(world: World, user: string, path: string, roles: Roles): Roles {
  const member = /^\/(vms|storage)\/([^/]+)$/.exec(path);
  if (!member || roles.has('NoAccess')) return roles;
  const [, kind, id = ''] = member;
  const all: Roles = new Map(roles);
  for (const [poolid, pool] of Object.entries(world.pools)) {
    const holds = kind === 'vms' ? pool.vms.includes(Number(id)) : pool.storages.includes(id);
    if (!holds) continue;
    const inPool = rolesOn(world, user, `/pool/${poolid}`);
    if (inPool.has('NoAccess')) return new Map([['NoAccess', false]]);
    for (const role of inPool.keys()) if (!all.has(role)) all.set(role, false);
  }
  return all;
}
