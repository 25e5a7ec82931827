import type { World } from '../world';
import type { AclEntry } from '../world-access';
import { findNamed } from '../own-keys';

/** Role names, each with its propagation flag. */
export type Roles = Map<string, boolean>;

/** Path prefixes from `/` down to the path itself: /vms/100 gives /, /vms, /vms/100. */
export function pathsTo(path: string): string[] {
  const paths = ['/'];
  let prefix = '';
  for (const part of path.split('/')) {
    if (part === '') continue;
    prefix += `/${part}`;
    paths.push(prefix);
  }
  return paths;
}

/** The roles that the ACL gives this user or token on a path, without pools and without what a token's owner lacks. */
export function rolesOn(world: World, user: string, path: string): Roles {
  const type = user.includes('!') ? 'token' : 'user';
  let roles: Roles = new Map();
  for (const step of pathsTo(path)) {
    const entries = world.access.acl.filter(
      entry => entry.path === step && (entry.propagate || step === path),
    );
    const own = entries.filter(entry => entry.type === type && entry.ugid === user);
    const ofGroups = entries.filter(
      ({ type: kind, ugid }) =>
        kind === 'group' && findNamed(world.access.groups, ugid)?.users.includes(user),
    );
    // what stands further down replaces what came from above; a user's own entry hides those of his groups
    const found = own.length > 0 ? own : ofGroups;
    if (found.length > 0) roles = rolesOf(found);
  }
  const noAccess = roles.get('NoAccess');
  return noAccess === undefined ? roles : new Map([['NoAccess', noAccess]]);
}

function rolesOf(entries: AclEntry[]): Roles {
  return new Map(entries.map(({ roleid, propagate }) => [roleid, propagate]));
}
