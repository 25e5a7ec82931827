import { deny, fail } from '../failure';
import { findNamed } from '../own-keys';
import type { Endpoint } from '../schema/endpoint';
import { askedBy } from '../schema/formats/privilege-list';
import { splitList } from '../perl-text';
import type { Sim } from '../cluster/sim';
import { waysOfCheck } from './asked/ways-of-check';
import type { Asker, Check } from './expression';
import { fill, lists, option, privilegesToModify, texts } from './expression';
import { hasPrivileges, holds, isRootUser, refuseWithout } from './privileges';
import { findUser } from './users';

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
  // PVE: who may be anybody is asked for nothing, also where a check stands beside it
  if (permissions?.user === 'all') return;
  const declared = permissions?.none_declared === undefined ? permissions?.check : undefined;
  if (Array.isArray(declared)) judge({ sim, user, params }, declared);
  else if (isRootUser(user)) return;
  else if (!permissions || permissions.none_declared !== undefined) deny('user != root@pam');
  else deny();
}

function judge(asker: Asker, check: Check): void {
  const { sim, user } = asker;
  const take = (passed: boolean): void => sim.asked.need(user, waysOfCheck(asker, check), passed);
  try {
    if (!isRootUser(user) && !passes(asker, check, true)) deny();
    take(true);
  } catch (error) {
    take(false);
    throw error;
  }
}

/** Judges one expression. With `loud` a refusal is thrown with its text, else it is only false. */
function passes(asker: Asker, check: Check, loud: boolean): boolean {
  const [test, ...rest] = check;
  const testOf = TESTS[String(test)];
  if (!testOf) throw new Error(`the schema has an unknown permission test '${String(test)}'`);
  return testOf(asker, rest, loud);
}

const TESTS: Record<string, (asker: Asker, rest: unknown[], loud: boolean) => boolean> = {
  and: (asker, rest) => lists(rest).every(check => passes(asker, check, true)),
  or: (asker, rest, loud) => lists(rest).some(check => passes(asker, check, false)) || refuse(loud),
  perm: permOnPath,
  'perm-modify': onAclPath,
  'userid-param': onUser,
  'userid-group': onGroupsOfUser,
};

function refuse(loud: boolean): false {
  if (loud) deny();
  return false;
}

function permOnPath({ sim, user, params }: Asker, rest: unknown[], loud: boolean): boolean {
  const [template, privileges] = rest;
  const needed = option(rest, 'require_param');
  if (needed !== undefined && params[String(needed)] === undefined) return refuse(loud);
  const any = option(rest, 'any') !== undefined;
  const path = fill(template, params);
  const asked = askedBy(sim.world.version.release, texts(privileges));
  if (loud) refuseWithout(sim, user, path, asked, any);
  return holds(sim, user, path, asked, any);
}

/** Whether somebody may hand out permissions on a path. */
export function mayModifyPermissions(sim: Sim, user: string, path: string): boolean {
  return hasPrivileges(sim, user, path, privilegesToModify(path), true);
}

function onAclPath({ sim, user, params }: Asker, [template]: unknown[], loud: boolean): boolean {
  const path = fill(template, params) || '/access';
  if (loud) refuseWithout(sim, user, path, privilegesToModify(path), true);
  return holds(sim, user, path, privilegesToModify(path), true);
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
  if (loud) refuseWithout(sim, user, `/access/realm/${realm}`, [String(subtest)], false);
  return holds(sim, user, `/access/realm/${realm}`, [String(subtest)], false);
}

function onGroupsOfUser(asker: Asker, rest: unknown[], loud: boolean): boolean {
  const { sim, user, params } = asker;
  const privileges = texts(rest[0]);
  const groupsParam = rest.includes('groups_param') ? option(rest, 'groups_param') : undefined;
  const mustExist = groupsParam !== 'create';
  if (mustExist && !userExists(asker, loud)) return false;
  if (holds(sim, user, '/access/groups', privileges, true)) return true;
  const held = Object.keys(sim.world.access.groups).filter(group =>
    holds(sim, user, `/access/groups/${group}`, privileges, true),
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
