import { SPECIAL_ROLES } from '../../schema/formats/privilege-list';
import type { Disguise } from './disguise';

/** USER@REALM, or USER@REALM!TOKEN, with other names. */
export function disguisedHolder(disguise: Disguise, id: string): string {
  const [, user = '', realm = '', token] = /^(.+)@([^@!]+)(?:!(.+))?$/.exec(id) ?? [];
  const owner = `${disguise.user('user', user)}@${disguise.name('realm', realm)}`;
  return token === undefined ? owner : `${owner}!${disguise.user('token', token)}`;
}

export function disguisedRole(disguise: Disguise, role: string): string {
  return Object.hasOwn(SPECIAL_ROLES, role) ? role : disguise.name('role', role);
}

export function disguisedPool(disguise: Disguise, poolid: string): string {
  return poolid
    .split('/')
    .map(part => disguise.name('pool', part))
    .join('/');
}

const WHAT: Record<string, string> = {
  storage: 'storage',
  nodes: 'node',
  pool: 'pool',
  mapping: 'mapping',
};

/** The path of an access entry: what lies below `/storage`, `/nodes`, `/pool`, `/sdn` and the like gets its other name. */
export function disguisedPath(disguise: Disguise, path: string): string {
  const [top = '', ...below] = path.split('/').filter(part => part !== '');
  if (below.length === 0 || top === 'vms') return path;
  const others = below.map((part, index) => {
    if (top === 'access')
      return index === 0 ? part : disguise.user(below[0] === 'realm' ? 'realm' : 'group', part);
    if (top === 'sdn')
      return ['zones', 'zone', 'bridge'][index] === 'zones'
        ? part
        : disguise.name(index === 1 ? 'zone' : 'bridge', part);
    if (top === 'mapping' && index === 0) return part;
    return disguise.name(WHAT[top] ?? 'part', part);
  });
  return `/${[top, ...others].join('/')}`;
}
