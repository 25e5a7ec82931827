import { isAclPath, normalizeAclPath } from '../../access/acl-path';
import { changeAccess } from '../../access/change';
import { permissionsOn, privilegesOfRole } from '../../access/permissions';
import { mayModifyPermissions } from '../../access/permit';
import { SPECIAL_ROLES } from '../../schema/formats/privilege-list';
import { hasPrivileges } from '../../access/privileges';
import { findUser, getToken } from '../../access/users';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail, failParameters } from '../../failure';
import type { AclEntry } from '../../world-access';
import { findNamed } from '../../own-keys';
import { splitList } from '../../perl-text';

function listAcl({ sim, user }: Call): unknown {
  const audits = hasPrivileges(sim, user, '/access', ['Sys.Audit']);
  return sim.world.access.acl
    .filter(({ path }) => audits || mayModifyPermissions(sim, user, path))
    .map(entry => ({ ...entry, propagate: entry.propagate ? 1 : 0 }));
}

type Holder = Pick<AclEntry, 'type' | 'ugid'>;

/** Everybody that the request names; each must exist. */
function holders({ sim, params }: Call): Holder[] {
  const groups = splitList(params['groups']).map((ugid): Holder => {
    if (!findNamed(sim.world.access.groups, ugid)) fail(`group '${ugid}' does not exist`);
    return { type: 'group', ugid };
  });
  const users = splitList(params['users']).map((ugid): Holder => {
    if (!findUser(sim, ugid)) fail(`user '${ugid}' does not exist`);
    return { type: 'user', ugid };
  });
  const tokens = splitList(params['tokens']).map((ugid): Holder => {
    const [owner = '', tokenid = ''] = ugid.split('!');
    getToken(sim, owner, tokenid);
    return { type: 'token', ugid };
  });
  return [...groups, ...users, ...tokens];
}

/** Who may not change permissions at large hands out no more than he holds himself. */
function mayHandOut(
  { sim, user }: Call,
  path: string,
  role: string,
  { removes, propagate }: { removes: boolean; propagate: boolean },
): void {
  const held = permissionsOn(sim.world, user, path);
  if (held['Permissions.Modify'] !== undefined) return;
  const what = `Cannot ${removes ? 'remove' : 'add'} role '${role}'`;
  if (role === 'NoAccess') failParameters({ role: `${what} - requires 'Permissions.Modify'` });
  for (const privilege of privilegesOfRole(sim.world, role)) {
    if (held[privilege] === undefined)
      failParameters({ role: `${what} - requires 'Permissions.Modify' or superset of privileges.` });
    if (propagate && held[privilege] === 0 && !removes) {
      failParameters({
        role: `${what} with propagation - requires 'Permissions.Modify' or propagated superset of privileges.`,
      });
    }
  }
}

function updateAcl(call: Call): null {
  const { sim, params } = call;
  if (!params['users'] && !params['groups'] && !params['tokens']) {
    const text = "either 'users', 'groups' or 'tokens' is required.";
    failParameters({ users: text, groups: text, tokens: text });
  }
  const removes = params['delete'] === '1';
  const path = normalizeAclPath(params['path'] ?? '');
  if (path === undefined || (!removes && !isAclPath(path)))
    return failParameters({ path: `invalid ACL path '${params['path'] ?? ''}'` });
  return changeAccess(sim, 'ACL update failed', () => {
    const { access } = sim.world;
    const roles = splitList(params['roles']);
    const missing = roles.find(role => !findNamed(SPECIAL_ROLES, role) && !findNamed(access.roles, role));
    if (missing !== undefined) fail(`role '${missing}' does not exist`);
    const propagate = params['propagate'] !== '0';
    for (const role of roles) mayHandOut(call, path, role, { removes, propagate });
    const changed = holders(call).flatMap(holder =>
      roles.map(roleid => ({ ...holder, path, roleid, propagate })),
    );
    const rest = access.acl.filter(entry => !changed.some(each => isSame(each, entry)));
    access.acl = removes ? rest : [...rest, ...changed];
    return null;
  });
}

function isSame(a: AclEntry, b: AclEntry): boolean {
  return a.path === b.path && a.type === b.type && a.ugid === b.ugid && a.roleid === b.roleid;
}

export const accessAclHandlers: HandlerTable = { 'GET /access/acl': listAcl, 'PUT /access/acl': updateAcl };
