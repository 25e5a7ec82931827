import { deny } from '../failure';
import type { Sim } from '../cluster/sim';
import { permissionsOn } from './permissions';

/** Whether a user or token holds all of these privileges on a path; with `any`, at least one. */
export function hasPrivileges(sim: Sim, user: string, path: string, privs: string[], any = false): boolean {
  const permissions = permissionsOn(sim.world, user, path);
  return any
    ? privs.some(privilege => permissions[privilege] !== undefined)
    : privs.every(privilege => permissions[privilege] !== undefined);
}

/** Fails with Proxmox's 403, which names the path and the first privilege that is missing; with `any` all of them. */
export function requirePrivileges(sim: Sim, user: string, path: string, privs: string[], any = false): void {
  const permissions = permissionsOn(sim.world, user, path);
  if (any) {
    if (!privs.some(privilege => permissions[privilege] !== undefined)) deny(`${path}, ${privs.join('|')}`);
    return;
  }
  const missing = privs.find(privilege => permissions[privilege] === undefined);
  if (missing !== undefined) deny(`${path}, ${missing}`);
}

/** Whether this is root@pam in person. His tokens are not. */
export function isRootUser(user: string): boolean {
  return user === 'root@pam';
}
