import { createHash } from 'node:crypto';
import type { ObservedCluster } from '../observed';
import { heldOn } from './held';

/** What is to be given on one path. */
export interface Missing {
  path: string;
  privileges: readonly string[];
}

/**
 * The `pveum` lines that give what is missing. A role on a path takes the place of what came from above, so each role
 * also holds what the caller has there now: nothing is lost by running them.
 */
export function aclLines(
  missing: readonly Missing[],
  { caller = '', permissions }: Pick<ObservedCluster, 'caller' | 'permissions'>,
): string[] {
  const grants = missing.map(({ path, privileges }) => {
    const all = [...new Set([...privileges, ...Object.keys(heldOn(permissions, path))])].sort();
    return { path, role: roleName(all), all };
  });
  const roles = new Map(grants.map(({ role, all }) => [role, all]));
  const holder = caller.includes('!') ? '--tokens' : '--users';
  return [
    ...[...roles].map(([role, all]) => `  pveum role add ${role} --privs ${all.join(',')}`),
    ...grants.map(({ path, role }) => `  pveum acl modify ${path} --roles ${role} ${holder} '${caller}'`),
  ];
}

/** What a token may do is what its own rules and those of its user have in common, when its privileges are separated. */
export function tokenHint(caller: string): string {
  const [user = '', token] = caller.split('!');
  if (token === undefined || user === 'root@pam') return '';
  return `The user ${user} must hold the same; for a token without privilege separation write --users '${user}' instead of --tokens.`;
}

/** A name that stands for what is in the role: adding it twice does no harm. */
function roleName(privileges: string[]): string {
  return `pvr-${createHash('sha256').update(privileges.join()).digest('hex').slice(0, 8)}`;
}
