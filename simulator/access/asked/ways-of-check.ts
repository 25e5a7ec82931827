import { findNamed } from '../../own-keys';
import { splitList } from '../../perl-text';
import { askedBy } from '../../schema/formats/privilege-list';
import type { Asker, Check } from '../expression';
import { fill, lists, option, privilegesToModify, texts } from '../expression';
import type { Way } from './asked';
import { waysOn } from './asked';

/** All ways to pass one of the schema's permission expressions with these parameters; none where no right helps. */
export function waysOfCheck(asker: Asker, check: Check): Way[] {
  const [test, ...rest] = check;
  return WAYS[String(test)]?.(asker, rest) ?? [];
}

const WAYS: Record<string, (asker: Asker, rest: unknown[]) => Way[]> = {
  and: (asker, rest) => together(lists(rest).map(check => waysOfCheck(asker, check))),
  or: (asker, rest) => lists(rest).flatMap(check => waysOfCheck(asker, check)),
  perm: onPath,
  'perm-modify': ({ params }, [template]) => {
    const path = fill(template, params) || '/access';
    return waysOn(path, privilegesToModify(path), true);
  },
  'userid-param': onUser,
  'userid-group': onGroups,
};

/** One way of each, in all combinations. */
function together(each: Way[][]): Way[] {
  return each.reduce<Way[]>((made, ways) => made.flatMap(way => ways.map(more => [...way, ...more])), [[]]);
}

function onPath({ sim, params }: Asker, rest: unknown[]): Way[] {
  const [template, privileges] = rest;
  const needed = option(rest, 'require_param');
  if (needed !== undefined && params[String(needed)] === undefined) return [];
  const asked = askedBy(sim.world.version.release, texts(privileges));
  return waysOn(fill(template, params), asked, option(rest, 'any') !== undefined);
}

function onUser({ user, params }: Asker, [subtest]: unknown[]): Way[] {
  const userid = params['userid'] ?? '';
  if (subtest === 'self') return user === userid ? [[]] : [];
  const realm = userid.slice(userid.lastIndexOf('@') + 1);
  return waysOn(`/access/realm/${realm}`, [String(subtest)], false);
}

/** Rights on all groups, on each that the user is to join, or on one in which he is. */
function onGroups({ sim, params }: Asker, rest: unknown[]): Way[] {
  const privileges = texts(rest[0]);
  const ways = waysOn('/access/groups', privileges, true);
  // the first privilege only: all combinations of many groups would be too many
  const on = (group: string): Way[] => waysOn(`/access/groups/${group}`, privileges.slice(0, 1), false);
  const { groups } = sim.world.access;
  const wanted = splitList(params['groups']);
  const isIn = (group: string): boolean =>
    findNamed(groups, group)?.users.includes(params['userid'] ?? '') ?? false;
  const ofUser = Object.keys(groups).filter(isIn).flatMap(on);
  if (!rest.includes('groups_param')) return [...ways, ...ofUser];
  if (wanted.length === 0) return ways;
  const joining = together(wanted.map(on));
  if (option(rest, 'groups_param') === 'create') return [...ways, ...joining];
  return [...ways, ...together([joining, ofUser])];
}
