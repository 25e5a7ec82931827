import type { AskedOf } from '../../access/asked/asked';
import type { Grant } from '../../access/asked/grants';
import { MOST_GUESTS, grantsOf, isOnAllGuests } from '../../access/asked/grants';
import { leastRights } from '../../access/asked/least-rights';
import { findNamed } from '../../own-keys';
import type { World } from '../../world';

/** Who gets the roles: a user, or a token and its user. */
interface Holder {
  userid: string;
  tokenid?: string;
}

const NEW_HOLDER = 'client@pve!api';

/** The roles that one caller needs for what it did, as lines that an administrator can paste. */
export function pveumLines(world: World, caller: string, asked: AskedOf, wanted?: string): string {
  const isRoot = caller.split('!')[0] === 'root@pam';
  const holder = holderOf(wanted ?? (isRoot ? NEW_HOLDER : caller));
  const prefix = caller.replace(/[^A-Za-z0-9]+/g, '-');
  const least = leastRights(asked.needed.values());
  const more = leastRights(asked.shown.values(), least.rights);
  const needed = grantsOf(least.rights, prefix);
  const shown = grantsOf(more.rights, `${prefix}-reads`).map(grant => onGuestsToo(grant, needed));
  return [
    ...headOf(caller, asked, least.beyond),
    ...newHolder(world, holder),
    '# without these a call fails:',
    ...(isOnAllGuests(least.rights)
      ? [`# more than ${MOST_GUESTS} guests: the rights on them are given on /vms`]
      : []),
    ...linesOf(world, holder, needed),
    '# without these no call fails, but lists show less:',
    ...linesOf(world, holder, shown),
    '',
  ].join('\n');
}

function headOf(caller: string, asked: AskedOf, beyond: number): string[] {
  const { needed, left } = asked;
  const refused = [...needed.values()].filter(question => question.refused).length;
  return [
    `# ${commentText(caller)}: ${needed.size} questions of the permission checks, ${refused} of them refused`,
    ...(refused > 0
      ? ['# what a refused call asks after that is not known: give these, and run it again']
      : []),
    ...(caller === 'root@pam'
      ? [
          '# root@pam itself is not asked for everything: let another user or a token do the same for the whole list',
        ]
      : []),
    ...(beyond > 0
      ? [`# ${beyond} of them no role answers: only root@pam may, or the path takes no permissions`]
      : []),
    ...(left > 0 ? [`# ${left} more were asked than are kept: these lines are not all`] : []),
  ];
}

/** PVE: a role further down takes the place of those from above, so a guest with roles of its own needs this one too. */
function onGuestsToo(grant: Grant, needed: readonly Grant[]): Grant {
  if (!grant.paths.includes('/vms')) return grant;
  const guests = needed.flatMap(({ paths }) => paths).filter(path => path.startsWith('/vms/'));
  return { ...grant, paths: [...new Set([...grant.paths, ...guests])] };
}

function holderOf(text: string): Holder {
  const [userid = '', tokenid] = text.split('!');
  return { userid, ...(tokenid === undefined ? {} : { tokenid }) };
}

function newHolder({ access }: World, { userid, tokenid }: Holder): string[] {
  const user = findNamed(access.users, userid);
  const isNewToken = tokenid !== undefined && !findNamed(user?.tokens ?? {}, tokenid);
  return [
    ...(user ? [] : [`pveum user add ${shellWord(userid)}`]),
    ...(isNewToken ? [`pveum user token add ${shellWord(userid)} ${shellWord(tokenid)} --privsep 0`] : []),
  ];
}

function linesOf(world: World, holder: Holder, grants: readonly Grant[]): string[] {
  if (grants.length === 0) return ['# nothing'];
  const holders = holdersOf(world, holder);
  return grants.flatMap(({ role, privileges, paths }) => [
    `pveum role add ${role} --privs ${privileges.join(',')}`,
    ...paths.flatMap(path =>
      holders.map(
        who => `pveum acl modify ${path} --roles ${role} ${who} --propagate ${path === '/vms' ? 1 : 0}`,
      ),
    ),
  ]);
}

/** A token with separated privileges has what both it and its user have. */
function holdersOf({ access }: World, { userid, tokenid }: Holder): string[] {
  const user = `--users ${shellWord(userid)}`;
  const token = findNamed(findNamed(access.users, userid)?.tokens ?? {}, tokenid ?? '');
  if (!token?.privsep) return [user];
  const own = `--tokens ${shellWord(`${userid}!${tokenid ?? ''}`)}`;
  return userid === 'root@pam' ? [own] : [user, own];
}

const commentText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

/** A text as one word of a POSIX shell. */
function shellWord(text: string): string {
  if (/^[\w@.-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
