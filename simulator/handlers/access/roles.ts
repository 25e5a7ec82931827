import { changeAccess } from '../../access/change';
import { PRIVILEGES, SPECIAL_ROLES } from '../../schema/formats/privilege-list';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail, failParameters } from '../../failure';
import { findNamed, putNamed } from '../../own-keys';
import { splitList } from '../../perl-text';

const isSpecial = (role: string): boolean => Object.hasOwn(SPECIAL_ROLES, role);

function privilegesOf({ sim, params }: Call): string[] {
  const role = params['roleid'] ?? '';
  return (
    findNamed(SPECIAL_ROLES, role) ??
    findNamed(sim.world.access.roles, role) ??
    fail(`role '${role}' does not exist`)
  );
}

/** The privileges that the request names; all must exist. */
function wanted({ params }: Call): string[] {
  const privileges = splitList(params['privs']);
  const unknown = privileges.find(privilege => !PRIVILEGES.includes(privilege));
  if (unknown !== undefined) fail(`invalid privilege '${unknown}'`);
  return privileges;
}

function listRoles({ sim }: Call): unknown {
  return Object.entries({ ...sim.world.access.roles, ...SPECIAL_ROLES }).map(([roleid, privileges]) => ({
    roleid,
    privs: [...privileges].sort().join(','),
    special: isSpecial(roleid) ? 1 : 0,
  }));
}

function createRole(call: Call): null {
  const { sim, params } = call;
  const role = params['roleid'] ?? '';
  if (/^PVE/i.test(role))
    failParameters({ roleid: "cannot use role ID starting with the (case-insensitive) 'PVE' namespace" });
  return changeAccess(sim, 'create role failed', () => {
    if (isSpecial(role) || findNamed(sim.world.access.roles, role)) fail(`role '${role}' already exists`);
    putNamed(sim.world.access.roles, role, wanted(call));
    return null;
  });
}

function updateRole(call: Call): null {
  const role = call.params['roleid'] ?? '';
  if (isSpecial(role)) fail(`auto-generated role '${role}' cannot be modified`);
  return changeAccess(call.sim, 'update role failed', () => {
    const before = call.params['append'] === '1' ? privilegesOf(call) : [];
    privilegesOf(call);
    call.sim.world.access.roles[role] = [...new Set([...before, ...wanted(call)])];
    return null;
  });
}

function deleteRole(call: Call): null {
  const role = call.params['roleid'] ?? '';
  if (isSpecial(role)) fail(`auto-generated role '${role}' cannot be deleted`);
  return changeAccess(call.sim, 'delete role failed', () => {
    const { access } = call.sim.world;
    privilegesOf(call);
    delete access.roles[role];
    // PVE: entries with a role that is gone are passed over when the file is read again
    access.acl = access.acl.filter(({ roleid }) => roleid !== role);
    return null;
  });
}

export const accessRolesHandlers: HandlerTable = {
  'GET /access/roles': listRoles,
  'POST /access/roles': createRole,
  'GET /access/roles/{roleid}': call =>
    Object.fromEntries(privilegesOf(call).map(privilege => [privilege, 1])),
  'PUT /access/roles/{roleid}': updateRole,
  'DELETE /access/roles/{roleid}': deleteRole,
};
