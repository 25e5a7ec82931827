import { deny } from '../failure';
import type { Sim } from '../cluster/sim';
import type { Way } from './asked/asked';
import { shownPath, waysOn } from './asked/asked';
import { permissionsOn } from './permissions';

/**
 * Whether a user or token holds all of these privileges on a path; with `any`, at least one. For what a call shows
 * or does besides: `sim.asked` takes note that it is done without them too.
 */
export function hasPrivileges(sim: Sim, user: string, path: string, privs: string[], any = false): boolean {
  const passed = holds(sim, user, path, privs, any);
  sim.asked.show(user, waysOn(shownPath(path), privs, any), passed);
  return passed;
}

/** Whether a user or token has all the rights of one of these ways. For what decides whether a call is done. */
export function hasOneWay(sim: Sim, user: string, ways: readonly Way[]): boolean {
  const passed = ways.some(way =>
    way.every(({ path, privilege }) => holds(sim, user, path, [privilege], false)),
  );
  sim.asked.need(user, ways, passed);
  return passed;
}

/** Fails with Proxmox's 403, which names the path and the first privilege that is missing; with `any` all of them. */
export function requirePrivileges(sim: Sim, user: string, path: string, privs: string[], any = false): void {
  const passed = holds(sim, user, path, privs, any);
  sim.asked.need(user, waysOn(path, privs, any), passed);
  if (!passed) refuseWithout(sim, user, path, privs, any);
}

/** The same as `hasPrivileges`, without a note. For checks that take note of more than one question at once. */
export function holds(sim: Sim, user: string, path: string, privs: string[], any: boolean): boolean {
  const permissions = permissionsOn(sim.world, user, path);
  return any
    ? privs.some(privilege => permissions[privilege] !== undefined)
    : privs.every(privilege => permissions[privilege] !== undefined);
}

/** The same as `requirePrivileges`, without a note. */
export function refuseWithout(sim: Sim, user: string, path: string, privs: string[], any: boolean): void {
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
