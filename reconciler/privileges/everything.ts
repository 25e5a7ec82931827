import type { ObservedCluster } from '../observed';
import { heldOn, holds } from './held';
import { onGuest, type Subject } from './need';

const ALL_KEYS = ['CPU', 'Memory', 'Network', 'HWType', 'Options', 'Disk', 'Cloudinit', 'CDROM'];
const PLACES: readonly (readonly [path: string, privilege: string])[] = [
  ['/storage', 'Datastore.AllocateSpace'],
  ['/sdn', 'SDN.Use'],
];

/** Whether the caller may give a guest anything that a clone could bring: then nobody has to look what it brings. */
export function mayGiveAnything(subject: Subject, cluster: ObservedCluster): boolean {
  const keys = ALL_KEYS.flatMap(area => onGuest(area, subject, `VM.Config.${area}`).ways[0] ?? []);
  const mayTag = cluster.tagRules === undefined || holds(cluster, { path: '/', privilege: 'Sys.Modify' });
  return (
    mayTag &&
    keys.every(way => holds(cluster, way)) &&
    PLACES.every(([path, privilege]) => everywhere(path, privilege, cluster))
  );
}

/** Held on a path and passed on, and on each path below it that has rules of its own. */
function everywhere(path: string, privilege: string, cluster: ObservedCluster): boolean {
  const { permissions } = cluster;
  const below = Object.keys(permissions).filter(each => each.startsWith(`${path}/`));
  return (
    (heldOn(permissions, path)[privilege] === 1 || holds(cluster, { path: `${path}/-`, privilege })) &&
    below.every(each => holds(cluster, { path: each, privilege }))
  );
}
