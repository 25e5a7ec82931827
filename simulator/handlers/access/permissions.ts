import { permissionsOn } from '../../access/permissions';
import { requirePrivileges } from '../../access/privileges';
import { pathsTo } from '../../access/roles-on';
import type { Call, HandlerTable } from '../../cluster/call';
import type { World } from '../../world';

const ALWAYS = ['/', '/access', '/access/groups', '/nodes', '/pool', '/sdn', '/storage', '/vms'];

/** The paths that say something: the usual ones, those of the ACL and all above them, and the members of pools. */
function telling(world: World): string[] {
  const members = Object.values(world.pools).flatMap(({ vms, storages }) => [
    ...vms.map(vmid => `/vms/${vmid}`),
    ...storages.map(storage => `/storage/${storage}`),
  ]);
  return [...new Set([...ALWAYS, ...world.access.acl.flatMap(({ path }) => pathsTo(path)), ...members])];
}

function permissions({ sim, user, params }: Call): unknown {
  const subject = params['userid'] ?? user;
  const ownsIt = subject === user || subject.split('!')[0] === user;
  if (!ownsIt) requirePrivileges(sim, user, '/access', ['Sys.Audit']);
  const { path } = params;
  if (path !== undefined && path !== '') return { [path]: permissionsOn(sim.world, subject, path) };
  const found: Record<string, unknown> = {};
  for (const each of telling(sim.world)) {
    const held = permissionsOn(sim.world, subject, each);
    if (Object.keys(held).length > 0) found[each] = held;
  }
  return found;
}

export const accessPermissionsHandlers: HandlerTable = { 'GET /access/permissions': permissions };
