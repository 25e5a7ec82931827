import type { World } from '../world';
import type { AclEntry, Token, User } from '../world-access';
import { configText, Fields, refuse } from './fields';

type Access = World['access'];

/** Realms, users, tokens, groups, roles and ACL, from their fields at the top of the file. */
export function readAccess(top: Fields): Access {
  const users = top.map('users', readUser);
  users['root@pam'] ??= { enable: true, tokens: {} };
  const tokens = top.map('tokens', readToken);
  for (const [id, token] of Object.entries(tokens)) {
    const [owner = '', name] = id.split('!');
    const user = users[owner];
    if (!user || name === undefined) {
      refuse(`${top.place('tokens')}.${id}`, id, `USER@REALM!NAME of a user in ${top.place('users')}`);
    }
    user.tokens[name] = token;
  }
  const realms = top.has('realms') ? top.map('realms', readRealm) : defaultRealms();
  return {
    realms,
    users,
    groups: top.map('groups', readGroup),
    roles: top.map('roles', readRole),
    acl: top.list('acl', readAcl),
  };
}

function defaultRealms(): Access['realms'] {
  return { pam: { type: 'pam', default: true }, pve: { type: 'pve' } };
}

function readRealm(value: unknown, at: string): Access['realms'][string] {
  const fields = new Fields(value, at);
  const realm: Access['realms'][string] = {
    type: fields.oneOf('type', ['pam', 'pve', 'ldap', 'ad', 'openid']),
  };
  if (fields.has('default')) realm.default = fields.flag('default');
  if (fields.has('comment')) realm.comment = fields.text('comment');
  fields.end();
  return realm;
}

function readUser(value: unknown, at: string): User {
  const fields = new Fields(value, at);
  const user: User = { enable: fields.flag('enable', true), tokens: {} };
  for (const name of ['password', 'comment', 'email', 'firstname', 'lastname', 'keys'] as const) {
    if (fields.has(name)) user[name] = fields.text(name);
  }
  if (fields.has('expire')) user.expire = fields.count('expire');
  fields.raw('note');
  fields.end();
  return user;
}

function readToken(value: unknown, at: string): Token {
  const fields = new Fields(value, at);
  const token: Token = { value: fields.text('value'), privsep: fields.flag('privsep', true) };
  if (fields.has('expire')) token.expire = fields.count('expire');
  if (fields.has('comment')) token.comment = fields.text('comment');
  fields.end();
  return token;
}

function readGroup(value: unknown, at: string): Access['groups'][string] {
  const fields = new Fields(value, at);
  const group: Access['groups'][string] = { users: fields.list('users', configText) };
  if (fields.has('comment')) group.comment = fields.text('comment');
  fields.end();
  return group;
}

/** A role: its privileges, with commas between them. */
function readRole(value: unknown, at: string): string[] {
  if (typeof value !== 'string') refuse(at, value, 'privileges with commas between them');
  return value
    .split(',')
    .map(privilege => privilege.trim())
    .filter(privilege => privilege !== '');
}

function readAcl(value: unknown, at: string): AclEntry {
  const fields = new Fields(value, at);
  const ugid = fields.text('ugid');
  const entry = {
    path: fields.text('path'),
    type: aclType(fields.oneOf('type', ['user', 'group', 'token'], ugid.includes('!') ? 'token' : 'user')),
    ugid,
    roleid: fields.text('roleid'),
    propagate: fields.flag('propagate', true),
  };
  if (!entry.path.startsWith('/')) refuse(fields.place('path'), entry.path, 'a path that starts with /');
  fields.end();
  return entry;
}

function aclType(type: string): AclEntry['type'] {
  return type === 'group' || type === 'token' ? type : 'user';
}
