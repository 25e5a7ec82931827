import { changeAccess } from '../../access/change';
import { storedField } from '../../access/stored-field';
import { hasPrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import type { World } from '../../world';
import { findNamed, putNamed } from '../../own-keys';

type Group = World['access']['groups'][string];

function getGroup({ sim, params }: Call): Group {
  const groupid = params['groupid'] ?? '';
  return findNamed(sim.world.access.groups, groupid) ?? fail(`group '${groupid}' does not exist`);
}

const comment = (group: Group): object => (group.comment ? { comment: group.comment } : {});

function listGroups({ sim, user }: Call): unknown {
  const privileges = ['User.Modify', 'Sys.Audit', 'Group.Allocate'];
  return Object.entries(sim.world.access.groups)
    .filter(([groupid]) => hasPrivileges(sim, user, `/access/groups/${groupid}`, privileges, true))
    .map(([groupid, group]) => ({ groupid, ...comment(group), users: [...group.users].sort().join(',') }));
}

function createGroup({ sim, params }: Call): null {
  const groupid = params['groupid'] ?? '';
  return changeAccess(sim, 'create group failed', () => {
    if (findNamed(sim.world.access.groups, groupid)) fail(`group '${groupid}' already exists`);
    const comment = storedField(params['comment'] ?? '');
    putNamed(sim.world.access.groups, groupid, { users: [], ...(comment ? { comment } : {}) });
    return null;
  });
}

function updateGroup(call: Call): null {
  return changeAccess(call.sim, 'update group failed', () => {
    const group = getGroup(call);
    if (call.params['comment'] !== undefined) group.comment = storedField(call.params['comment']);
    return null;
  });
}

function deleteGroup(call: Call): null {
  return changeAccess(call.sim, 'delete group failed', () => {
    const { access } = call.sim.world;
    const groupid = call.params['groupid'] ?? '';
    getGroup(call);
    delete access.groups[groupid];
    access.acl = access.acl.filter(({ type, ugid }) => type !== 'group' || ugid !== groupid);
    return null;
  });
}

export const accessGroupsHandlers: HandlerTable = {
  'GET /access/groups': listGroups,
  'POST /access/groups': createGroup,
  'GET /access/groups/{groupid}': call => {
    const group = getGroup(call);
    return { members: group.users, ...comment(group) };
  },
  'PUT /access/groups/{groupid}': updateGroup,
  'DELETE /access/groups/{groupid}': deleteGroup,
};
