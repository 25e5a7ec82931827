import type { ObservedCluster } from '../observed';
import type { Grant, Need } from './need';

type Held = Pick<ObservedCluster, 'permissions' | 'caller'>;

/** Whether the caller meets a need. Where that cannot be known, he does: Proxmox has the last word. */
export function meets(held: Held, { ways }: Need): boolean {
  return isRoot(held) || ways.some(way => holds(held, way));
}

/** Whether the caller holds a privilege on a path, given there or passed on from above. */
export function holds(held: Held, { path, privilege }: Grant): boolean {
  return isRoot(held) || privilege in heldOn(held.permissions, path);
}

/** The privileges on a path. Proxmox lists each path that an access rule or a pool names; the others get theirs from above. */
export function heldOn(permissions: ObservedCluster['permissions'], path: string): Record<string, number> {
  const own = permissions[path];
  if (own !== undefined) return own;
  for (let above = parentOf(path); above !== undefined; above = parentOf(above)) {
    const inherited = permissions[above];
    if (inherited !== undefined) return passedOn(inherited);
  }
  return {};
}

function passedOn(privileges: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(privileges).filter(([, propagates]) => propagates === 1));
}

function parentOf(path: string): string | undefined {
  if (path === '/') return undefined;
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** root@pam may do everything, in person. An unknown caller is not judged. */
function isRoot({ caller }: Held): boolean {
  return caller === undefined || caller === 'root@pam';
}
