import { disguisedHolder, disguisedPath, disguisedRole } from '../disguise/access-names';
import { SPECIAL_ROLES } from '../../schema/formats/privilege-list';
import { configTextOf, countOf, flagOf, given, listOf, rowsOf, textOf } from '../shape';
import type { Row } from '../shape';
import type { Source } from './source';

const USER = /^[^\s:/@!]+@[A-Za-z][\w.-]*$/;
const TYPES = ['pam', 'pve', 'ldap', 'ad', 'openid'];

/** The password of every user of the file. Proxmox tells no passwords, and a scenario may need one. */
const PASSWORD = 'recorded';

/** Realms, users, tokens, groups, roles and entries of the access list, as far as the token may see them. */
export async function readAccess(source: Source): Promise<Row> {
  const { reader, disguise } = source;
  const realms = realmsOf(source, rowsOf(await reader.get('/access/domains')));
  const listed = rowsOf(await reader.get('/access/users?full=1'));
  listed.sort((one, other) => (String(one['userid']) < String(other['userid']) ? -1 : 1));
  const rows = listed.filter(row => {
    const [, realm] = /^.+@(.+)$/.exec(textOf(row['userid']) ?? '') ?? [];
    return (
      realm !== undefined &&
      USER.test(String(row['userid'])) &&
      Object.hasOwn(realms, disguise.name('realm', realm))
    );
  });
  const users = Object.fromEntries(rows.map(row => [holderOf(source, row['userid']), userOf(source, row)]));
  const tokens = Object.fromEntries(rows.flatMap(row => tokensOf(source, row)));
  const groups = groupsOf(source, rowsOf(await reader.get('/access/groups')), users);
  const roles = rolesOf(source, rowsOf(await reader.get('/access/roles')));
  const known = { users, tokens, groups, roles };
  return { realms, ...known, acl: aclOf(source, rowsOf(await reader.get('/access/acl')), known) };
}

const holderOf = ({ disguise }: Source, id: unknown): string => disguisedHolder(disguise, String(id));

function tokensOf(source: Source, { userid, tokens }: Row): [string, Row][] {
  return rowsOf(tokens)
    .filter(({ tokenid }) => typeof tokenid === 'string' && /^[A-Za-z][\w.-]*$/.test(tokenid))
    .map(token => {
      const id = `${String(userid)}!${String(token['tokenid'])}`;
      return [holderOf(source, id), tokenOf(source, id, token)];
    });
}

function groupsOf(source: Source, rows: Row[], users: Row): Row {
  const groups = rows.flatMap(row => {
    const id = textOf(row['groupid']);
    if (id === undefined) return [];
    const members = listOf(row['users'])
      .map(user => holderOf(source, user))
      .filter(user => Object.hasOwn(users, user));
    const comment = textOf(row['comment']);
    const fields = { users: members, comment: comment && source.disguise.description(comment) };
    return [[source.disguise.user('group', id), given(fields)] as const];
  });
  return Object.fromEntries(groups);
}

function realmsOf({ disguise }: Source, rows: Row[]): Row {
  const read = rows.flatMap(row => {
    const [realm, type] = [textOf(row['realm']), textOf(row['type'])];
    if (realm === undefined || type === undefined || !TYPES.includes(type)) return [];
    const comment = textOf(row['comment']);
    const fields = {
      type,
      default: flagOf(row['default']) || undefined,
      comment:
        comment === undefined || type === 'pam' || type === 'pve' ? undefined : disguise.description(comment),
    };
    return [[disguise.name('realm', realm), given(fields)] as const];
  });
  return { pam: { type: 'pam', default: true }, pve: { type: 'pve' }, ...Object.fromEntries(read) };
}

function userOf({ disguise }: Source, row: Row): Row {
  const person = (key: string): string | undefined => {
    const text = textOf(row[key]);
    return text === undefined ? undefined : disguise.user('person', text);
  };
  const [comment, email] = [textOf(row['comment']), textOf(row['email'])];
  // the keys of a second factor are secrets
  const keys = textOf(row['keys']);
  if (keys) disguise.secret(keys);
  return given({
    enable: row['enable'] === undefined || flagOf(row['enable']),
    expire: countOf(row['expire']) || undefined,
    password: PASSWORD,
    comment: comment && disguise.description(comment),
    email: email && (disguise.keeps('users') ? email : `${disguise.user('person', email)}@example.com`),
    firstname: person('firstname'),
    lastname: person('lastname'),
  });
}

function tokenOf({ disguise }: Source, id: string, row: Row): Row {
  const comment = textOf(row['comment']);
  return given({
    value: disguise.tokenValue(id),
    privsep: row['privsep'] === undefined || flagOf(row['privsep']),
    expire: countOf(row['expire']) || undefined,
    comment: comment && disguise.description(comment),
  });
}

function rolesOf({ disguise }: Source, rows: Row[]): Row {
  const own = rows.filter(
    ({ roleid }) => typeof roleid === 'string' && !Object.hasOwn(SPECIAL_ROLES, roleid),
  );
  return Object.fromEntries(
    own
      .filter(row => !flagOf(row['special']))
      .map(row => [
        disguisedRole(disguise, String(row['roleid'])),
        listOf(row['privs'])
          .filter(privilege => /^[A-Za-z.]+$/.test(privilege))
          .join(','),
      ]),
  );
}

interface Known {
  users: Row;
  tokens: Row;
  groups: Row;
  roles: Row;
}

function aclOf({ disguise, remark }: Source, rows: Row[], known: Known): Row[] {
  let unknown = 0;
  const entries = rows.flatMap(row => {
    const [path, type, ugid, roleid] = ['path', 'type', 'ugid', 'roleid'].map(
      key => configTextOf(row[key]) ?? '',
    );
    if (!path?.startsWith('/') || !ugid || !roleid) return [];
    const holder = type === 'group' ? disguise.user('group', ugid) : disguisedHolder(disguise, ugid);
    const role = disguisedRole(disguise, roleid);
    const holders = type === 'group' ? known.groups : type === 'token' ? known.tokens : known.users;
    const isKnown =
      Object.hasOwn(holders, holder) &&
      (Object.hasOwn(SPECIAL_ROLES, role) || Object.hasOwn(known.roles, role));
    if (!isKnown) unknown += 1;
    return isKnown
      ? [
          {
            path: disguisedPath(disguise, path),
            type,
            ugid: holder,
            roleid: role,
            propagate: flagOf(row['propagate']),
          },
        ]
      : [];
  });
  if (unknown > 0)
    remark(
      `${unknown} entries of the access list are left out: their user, group or role is not in the file`,
    );
  return entries;
}
