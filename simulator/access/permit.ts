import { normalizeAclPath } from './acl-path';
import { deny, fail } from '../failure';
import { findNamed } from '../own-keys';
import type { Endpoint } from '../schema/endpoint';
import { askedBy } from '../schema/formats/privilege-list';
import { splitList } from '../perl-text';
import type { Sim } from '../cluster/sim';
import { hasPrivileges, isRootUser, requirePrivileges } from './privileges';
import { findUser } from './users';

interface Asker {
  sim: Sim;
  user: string;
  params: Record<string, string>;
}

/** One test of the schema's permission expressions. */
type Check = unknown[];

/** Lets the request pass, or fails as Proxmox does. Runs before the parameters are checked. */
export function permit(
  sim: Sim,
  user: string | undefined,
  endpoint: Endpoint,
  params: Record<string, string>,
): void {
  const { permissions } = endpoint;
  if (user === undefined) {
    if (permissions?.user !== 'world') deny('user != null');
    return;
  }
  if (isRootUser(user)) return;
  if (!permissions || permissions.none_declared !== undefined) deny('user != root@pam');
  if (permissions.user === 'all') return;
  if (!Array.isArray(permissions.check)) deny();
  const check: Check = permissions.check;
  if (!passes({ sim, user, params }, check, true)) deny();
}

/** Judges one expression. With `loud` a refusal is thrown with its text, else it is only false. */
function passes(asker: Asker, check: Check, loud: boolean): boolean {
  const [test, ...rest] = check;
  const judge = TESTS[String(test)];
  if (!judge) throw new Error(`the schema has an unknown permission test '${String(test)}'`);
  return judge(asker, rest, loud);
}

const TESTS: Record<string, (asker: Asker, rest: unknown[], loud: boolean) => boolean> = {
  and: (asker, rest) => lists(rest).every(check => passes(asker, check, true)),
  or: (asker, rest, loud) => lists(rest).some(check => passes(asker, check, false)) || refuse(loud),
  perm: permOnPath,
  'perm-modify': onAclPath,
  'userid-param': onUser,
  'userid-group': onGroupsOfUser,
};

function refuse(loud: boolean, what?: string): false {
  if (loud) deny(what);
  return false;
}

function lists(values: unknown[]): unknown[][] {
  return values.filter(value => Array.isArray(value));
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The options that follow in a flat list: `any`, 1. */
function option(rest: unknown[], name: string): unknown {
  const index = rest.indexOf(name);
  return index < 0 ? undefined : rest[index + 1];
}

/** The path of a permission; empty, and so without any, when a parameter in it is no part of a path. */
function fill(template: unknown, params: Record<string, string>): string {
  const path = String(template).replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  return normalizeAclPath(path) ?? '';
}

function permOnPath({ sim, user, params }: Asker, rest: unknown[], loud: boolean): boolean {
  const [template, privileges] = rest;
  const needed = option(rest, 'require_param');
  if (needed !== undefined && params[String(needed)] === undefined) return refuse(loud);
  const any = option(rest, 'any') !== undefined;
  const path = fill(template, params);
  const asked = askedBy(sim.world.version.release, texts(privileges));
  if (loud) requirePrivileges(sim, user, path, asked, any);
  return hasPrivileges(sim, user, path, asked, any);
}

/** What may stand in for Permissions.Modify, by the path that is opened. */
const OWNERS: [RegExp, string][] = [
  [/^\/storage\/.+/, 'Datastore.Allocate'],
  [/^\/vms\/.+/, 'VM.Allocate'],
  [/^\/pool\/.+/, 'Pool.Allocate'],
];

/** Whether somebody may hand out permissions on a path. */
export function mayModifyPermissions(sim: Sim, user: string, path: string): boolean {
  return hasPrivileges(sim, user, path, privilegesToModify(path), true);
}

function privilegesToModify(path: string): string[] {
  const owners = OWNERS.filter(([pattern]) => pattern.test(path)).map(([, privilege]) => privilege);
  return ['Permissions.Modify', ...owners];
}

function onAclPath({ sim, user, params }: Asker, [template]: unknown[], loud: boolean): boolean {
  const path = fill(template, params) || '/access';
  if (loud) requirePrivileges(sim, user, path, privilegesToModify(path), true);
  return mayModifyPermissions(sim, user, path);
}

function userExists({ sim, params }: Asker, loud: boolean): boolean {
  const userid = params['userid'] ?? '';
  if (findUser(sim, userid)) return true;
  if (loud) fail(`no such user ('${userid}')`);
  return false;
}

function onUser(asker: Asker, [subtest]: unknown[], loud: boolean): boolean {
  const { sim, user, params } = asker;
  const userid = params['userid'] ?? '';
  if (subtest === 'self') return userExists(asker, loud) && (user === userid || refuse(loud));
  const realm = userid.slice(userid.lastIndexOf('@') + 1);
  if (loud) requirePrivileges(sim, user, `/access/realm/${realm}`, [String(subtest)]);
  return hasPrivileges(sim, user, `/access/realm/${realm}`, [String(subtest)]);
}

function onGroupsOfUser(asker: Asker, rest: unknown[], loud: boolean): boolean {
  const { sim, user, params } = asker;
  const privileges = texts(rest[0]);
  const groupsParam = rest.includes('groups_param') ? option(rest, 'groups_param') : undefined;
  const mustExist = groupsParam !== 'create';
  if (mustExist && !userExists(asker, loud)) return false;
  if (hasPrivileges(sim, user, '/access/groups', privileges, true)) return true;
  const held = Object.keys(sim.world.access.groups).filter(group =>
    hasPrivileges(sim, user, `/access/groups/${group}`, privileges, true),
  );
  if (groupsParam !== undefined) {
    const wanted = splitList(params['groups']);
    const missing = wanted.find(group => !held.includes(group));
    if (wanted.length === 0) deny(`/access/groups, ${privileges.join('|')}`);
    if (missing !== undefined) deny(`/access/groups/${missing}, ${privileges.join('|')}`);
  }
  if (!mustExist) return true;
  const members = held.flatMap(group => findNamed(sim.world.access.groups, group)?.users ?? []);
  return members.includes(params['userid'] ?? '') || refuse(loud);
}
