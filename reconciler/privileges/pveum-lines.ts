import { createHash } from 'node:crypto';
import type { Caller, Missing, RoleGrant } from './grants';
import { heldOn } from './held';
import { inOneRole, roleLines } from './one-role';

/**
 * The `pveum` lines that give what is missing. A role on a path takes the place of what came from above, so each role
 * also holds what the caller has there now: nothing is lost by running them. What is missing, and its refusal:
 * missing-privileges.
 */
export function pveumLines(missing: readonly Missing[], to: Caller): string[] {
  const grants = grantsFor(missing, to);
  const roles = [...new Map(grants.map(grant => [grant.role, grant])).values()];
  const made = roles.flatMap(grant =>
    to.role === undefined
      ? [`  pveum role add ${grant.role} --privs ${grant.all.join(',')}`]
      : roleLines(grant),
  );
  return [...made, ...modifyLines(grants, to.caller)];
}

/**
 * What a token of another user than root has to know besides: which of the lines fit it. Proxmox tells no token whether
 * its privileges are separated (GET /access/users/{userid}/token asks for User.Modify). Empty for everybody else.
 */
export function tokenHint(missing: readonly Missing[], to: Caller): string {
  const [user = '', token] = (to.caller ?? '').split('!');
  if (token === undefined || user === 'root@pam') return '';
  const lines = modifyLines(grantsFor(missing, to), user);
  return `This is for a token with privilege separation, whose user ${user} must hold the same (pveum user token list ${user} tells: privsep 1). For one without (privsep 0) run in place of the lines with --tokens:\n${lines.join('\n')}\n`;
}

/** What to do about what is missing: lines to run, which fit whoever asks. */
export function grantRemedy(missing: readonly Missing[], to: Caller): string {
  return `Let an administrator run:\n${pveumLines(missing, to).join('\n')}\n${tokenHint(missing, to)}`;
}

function grantsFor(missing: readonly Missing[], to: Caller): RoleGrant[] {
  const { permissions, role: named } = to;
  if (named !== undefined) return missing.length === 0 ? [] : inOneRole(missing, named, to);
  return missing.map(({ path, privileges }) => {
    const all = [...new Set([...privileges, ...Object.keys(heldOn(permissions, path))])].sort();
    return { path, role: roleName(all), all };
  });
}

function modifyLines(grants: readonly RoleGrant[], caller = ''): string[] {
  const holder = caller.includes('!') ? '--tokens' : '--users';
  return grants.map(({ path, role }) => `  pveum acl modify ${path} --roles ${role} ${holder} '${caller}'`);
}

/** A name that stands for what is in the role: adding it twice does no harm. */
function roleName(privileges: string[]): string {
  return `pvr-${createHash('sha256').update(privileges.join()).digest('hex').slice(0, 8)}`;
}
