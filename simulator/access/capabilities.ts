import type { World } from '../world';
import { permissionsOn } from './permissions';

/** The privileges that the web interface asks for, by the first part of a path. */
const SHOWN: Record<string, RegExp> = {
  vms: /^(VM\.|Permissions\.Modify)/,
  access: /^(User\.|Group\.|Permissions\.Modify)/,
  storage: /^(Datastore\.|Permissions\.Modify)/,
  nodes: /^(Sys\.|Permissions\.Modify)/,
  sdn: /^(SDN\.|Permissions\.Modify)/,
  dc: /^(Sys\.Audit|Sys\.Modify|SDN\.)/,
  mapping: /^(Mapping\.|Permissions\.Modify)/,
};

const ALWAYS = ['/', '/nodes', '/access/groups', '/vms', '/storage', '/sdn', '/mapping'];

/** What a login answers in `cap`: the privileges by area, on whatever path they were granted. */
export function capabilitiesOf(world: World, user: string): Record<string, Record<string, 1>> {
  const areas: Record<string, Record<string, 1>> = Object.fromEntries(
    Object.keys(SHOWN).map(area => [area, {}]),
  );
  const paths = new Set([...ALWAYS, ...world.access.acl.map(({ path }) => path)]);
  for (const path of paths) {
    const top = /^\/(\w+)/.exec(path)?.[1] ?? 'dc';
    // a grant on a pool counts for the guests and storages in it
    const targets = top === 'pool' ? ['vms', 'storage'] : [top];
    for (const privilege of Object.keys(permissionsOn(world, user, path))) {
      for (const area of targets) {
        const shown = areas[area];
        if (shown && SHOWN[area]?.test(privilege)) shown[privilege] = 1;
      }
    }
  }
  return areas;
}
