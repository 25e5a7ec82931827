import type { ObservedCluster } from '../observed';
import type { Grant, Need } from './need';

type Held = Pick<ObservedCluster, 'permissions' | 'caller'>;

/** Whether the caller meets a need. Where that cannot be known, he does: Proxmox has the last word. */
export function meets(held: Held, { ways }: Need): boolean {
  return isRoot(held) || ways.some(way => holds(held, way));
}

/** Whether the caller holds a privilege on a path, given there or passed on from above. */
export function holds(held: Held, { path, privilege }: Grant): boolean {
  if (isRoot(held)) return true;
  const { given, isOwn } = ruleOf(held.permissions, path);
  return isOwn ? privilege in given : given[privilege] === 1;
}

/** The privileges on a path. */
export function heldOn(permissions: ObservedCluster['permissions'], path: string): Record<string, number> {
  const { given, isOwn } = ruleOf(permissions, path);
  return isOwn
    ? given
    : Object.fromEntries(Object.entries(given).filter(([, propagates]) => propagates === 1));
}

/**
 * What is given on a path, or on the next one above that has something: of that counts what is passed on (value 1).
 * Proxmox lists each path that an access rule or a pool names.
 */
function ruleOf(
  permissions: ObservedCluster['permissions'],
  path: string,
): { given: Record<string, number>; isOwn: boolean } {
  for (let each: string | undefined = path; each !== undefined; each = parentOf(each)) {
    const given = permissions[each];
    if (given !== undefined) return { given, isOwn: each === path };
  }
  return { given: {}, isOwn: true };
}

function parentOf(path: string): string | undefined {
  if (path === '/') return undefined;
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** root@pam may do everything, in person. An unknown caller is not judged. */
function isRoot({ caller }: Held): boolean {
  return caller === undefined || caller === 'root@pam';
}
