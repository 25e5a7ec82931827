import { changeAccess } from '../../access/change';
import { hasPrivileges, isRootUser } from '../../access/privileges';
import { showToken } from '../../access/shown-token';
import { checkPasswordPlace } from '../../access/password-realm';
import { storedField } from '../../access/stored-field';
import { findUser, getUser, groupsOf } from '../../access/users';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import type { User } from '../../world-access';
import { findNamed } from '../../own-keys';
import { splitList } from '../../perl-text';

const TEXTS = ['firstname', 'lastname', 'comment', 'keys'] as const;

function showUser(user: User): Record<string, unknown> {
  const shown: Record<string, unknown> = { enable: user.enable ? 1 : 0, expire: user.expire ?? 0 };
  for (const name of TEXTS) if (user[name]) shown[name] = user[name];
  // PVE: user.cfg is a line of fields, so an empty address shows when a field behind it is filled (recording b3, step 4)
  if (user.email || user.comment || user.keys) shown['email'] = user.email ?? '';
  return shown;
}

function readUser({ sim, params }: Call): unknown {
  const userid = params['userid'] ?? '';
  const user = getUser(sim, userid);
  const tokens = Object.entries(user.tokens).map(([id, token]) => [id, showToken(token)]);
  return {
    ...showUser(user),
    groups: groupsOf(sim, userid),
    tokens: tokens.length === 0 ? null : Object.fromEntries(tokens),
  };
}

function listUsers({ sim, user: asker, params }: Call): unknown {
  const { users, realms, groups } = sim.world.access;
  const privileges = ['User.Modify', 'Sys.Audit'];
  const seesAll = hasPrivileges(sim, asker, '/access/groups', privileges, true);
  const seen = Object.entries(groups)
    .filter(([group]) => hasPrivileges(sim, asker, `/access/groups/${group}`, privileges, true))
    .flatMap(([, group]) => group.users);
  const wanted = params['enabled'];
  return Object.entries(users)
    .filter(([userid]) => seesAll || userid === asker || seen.includes(userid))
    .filter(([, user]) => wanted === undefined || (wanted === '1') === user.enable)
    .map(([userid, user]) => {
      const type = findNamed(realms, userid.slice(userid.lastIndexOf('@') + 1))?.type;
      const tokens = Object.entries(user.tokens).map(([tokenid, token]) => ({
        tokenid,
        ...showToken(token),
      }));
      const full = { groups: groupsOf(sim, userid).join(','), ...(tokens.length > 0 ? { tokens } : {}) };
      return {
        userid,
        ...showUser(user),
        ...(params['full'] === '1' ? full : {}),
        ...(type === undefined ? {} : { 'realm-type': type }),
      };
    });
}

function createUser({ sim, params }: Call): null {
  const userid = params['userid'] ?? '';
  return changeAccess(sim, 'create user failed', () => {
    if (findUser(sim, userid)) fail(`user '${userid}' already exists`);
    const user: User = { enable: params['enable'] !== '0', tokens: {} };
    if (params['password'] !== undefined) {
      checkPasswordPlace(sim.world, userid);
      user.password = params['password'];
    }
    const groups = existingGroups({ sim, params });
    fill(user, params);
    sim.world.access.users[userid] = user;
    join(sim, userid, groups);
    return null;
  });
}

function existingGroups({ sim, params }: Pick<Call, 'sim' | 'params'>): string[] {
  const groups = splitList(params['groups']);
  const missing = groups.find(group => !findNamed(sim.world.access.groups, group));
  if (missing !== undefined) fail(`no such group '${missing}'`);
  return groups;
}

function join(sim: Call['sim'], userid: string, groups: string[]): void {
  for (const group of groups) {
    const members = findNamed(sim.world.access.groups, group)?.users;
    if (members && !members.includes(userid)) members.push(userid);
  }
}

function fill(user: User, params: Call['params']): void {
  for (const name of [...TEXTS, 'email'] as const) {
    const value = params[name];
    if (value !== undefined) user[name] = storedField(value);
  }
  if (params['expire'] !== undefined) user.expire = Number(params['expire']);
}

function leaveGroups(sim: Call['sim'], userid: string): void {
  for (const group of Object.values(sim.world.access.groups))
    group.users = group.users.filter(member => member !== userid);
}

function updateUser({ sim, params }: Call): null {
  const userid = params['userid'] ?? '';
  return changeAccess(sim, 'update user failed', () => {
    const user = getUser(sim, userid);
    const groups = existingGroups({ sim, params });
    if (params['enable'] !== undefined) user.enable = params['enable'] === '1';
    if (params['groups'] !== undefined && params['append'] !== '1') leaveGroups(sim, userid);
    join(sim, userid, groups);
    fill(user, params);
    return null;
  });
}

function deleteUser({ sim, params }: Call): null {
  const userid = params['userid'] ?? '';
  return changeAccess(sim, 'delete user failed', () => {
    const { access } = sim.world;
    const password = access.users[userid]?.password;
    delete access.users[userid];
    // PVE: root is there again at once, with the password that the system keeps
    if (isRootUser(userid))
      access.users[userid] = { enable: true, tokens: {}, ...(password && { password }) };
    leaveGroups(sim, userid);
    access.acl = access.acl.filter(({ type, ugid }) => type === 'group' || ugid.split('!')[0] !== userid);
    return null;
  });
}

export const accessUsersHandlers: HandlerTable = {
  'GET /access/users': listUsers,
  'POST /access/users': createUser,
  'GET /access/users/{userid}': readUser,
  'PUT /access/users/{userid}': updateUser,
  'DELETE /access/users/{userid}': deleteUser,
  // second factors are not simulated: nobody has one
  'GET /access/users/{userid}/tfa': ({ sim, params }) => {
    getUser(sim, params['userid'] ?? '');
    return params['multiple'] === '1' ? { types: [] } : {};
  },
};
