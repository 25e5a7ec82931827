import { changeAccess } from '../../access/change';
import { privilegesOfRole } from '../../access/permissions';
import { PRIVILEGES, privilegesOf, SPECIAL_ROLES } from '../../schema/formats/privilege-list';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail, failParameters } from '../../failure';
import { findNamed, putNamed } from '../../own-keys';
import { splitList } from '../../perl-text';

const isSpecial = (role: string): boolean => Object.hasOwn(SPECIAL_ROLES, role);

function privilegesOfNamed({ sim, params }: Call): string[] {
  const role = params['roleid'] ?? '';
  if (!isSpecial(role) && !findNamed(sim.world.access.roles, role)) fail(`role '${role}' does not exist`);
  return privilegesOfRole(sim.world, role);
}

/** The privileges that the request names; all must exist in this release. */
function wanted({ sim, params }: Call): string[] {
  const privileges = splitList(params['privs']);
  const known = privilegesOf(sim.world.version.release, PRIVILEGES);
  const unknown = privileges.find(privilege => !known.includes(privilege));
  if (unknown !== undefined) failParameters({ privs: `invalid format - invalid privilege '${unknown}'\n` });
  return privileges;
}

function listRoles({ sim: { world } }: Call): unknown {
  return [...Object.keys(world.access.roles), ...Object.keys(SPECIAL_ROLES)].map(roleid => ({
    roleid,
    privs: [...privilegesOfRole(world, roleid)].sort().join(','),
    special: isSpecial(roleid) ? 1 : 0,
  }));
}

function createRole(call: Call): null {
  const { sim, params } = call;
  const role = params['roleid'] ?? '';
  if (/^PVE/i.test(role))
    failParameters({ roleid: "cannot use role ID starting with the (case-insensitive) 'PVE' namespace" });
  const privileges = wanted(call);
  return changeAccess(sim, 'create role failed', () => {
    if (isSpecial(role) || findNamed(sim.world.access.roles, role)) fail(`role '${role}' already exists`);
    putNamed(sim.world.access.roles, role, privileges);
    return null;
  });
}

function updateRole(call: Call): null {
  const role = call.params['roleid'] ?? '';
  if (isSpecial(role)) fail(`auto-generated role '${role}' cannot be modified`);
  const named = wanted(call);
  return changeAccess(call.sim, 'update role failed', () => {
    const before = call.params['append'] === '1' ? privilegesOfNamed(call) : [];
    privilegesOfNamed(call);
    call.sim.world.access.roles[role] = [...new Set([...before, ...named])];
    return null;
  });
}

function deleteRole(call: Call): null {
  const role = call.params['roleid'] ?? '';
  if (isSpecial(role)) fail(`auto-generated role '${role}' cannot be deleted`);
  return changeAccess(call.sim, 'delete role failed', () => {
    const { access } = call.sim.world;
    privilegesOfNamed(call);
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
    Object.fromEntries(privilegesOfNamed(call).map(privilege => [privilege, 1])),
  'PUT /access/roles/{roleid}': updateRole,
  'DELETE /access/roles/{roleid}': deleteRole,
};
