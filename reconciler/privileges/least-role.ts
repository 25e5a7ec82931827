import type { Missing } from './grants';
import type { Need } from './need';

/** What is asked for on each path, once, in the order of paths and privileges. What only root may do is not among it. */
export function grantsOf(needs: readonly Need[]): Missing[] {
  const byPath = new Map<string, Set<string>>();
  for (const { ways } of needs) {
    for (const { path, privilege } of ways.slice(0, 1)) {
      byPath.set(path, (byPath.get(path) ?? new Set()).add(privilege));
    }
  }
  // PVE: a role on a path takes the place of what comes from above
  const above = (path: string): string[] =>
    [...byPath].flatMap(([other, privileges]) => (isAbove(other, path) ? [...privileges] : []));
  return [...byPath]
    .map(([path, privileges]) => ({ path, privileges: [...new Set([...privileges, ...above(path)])].sort() }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Each path that is asked for, and what each privilege there is for, in words: `VM.Allocate for making it, destroying`. */
export function reasonsOf(needs: readonly Need[]): { path: string; text: string }[] {
  const byPath = new Map<string, Map<string, Set<string>>>();
  for (const { what, ways } of needs) {
    for (const { path, privilege } of ways.slice(0, 1)) {
      const here = byPath.get(path) ?? new Map<string, Set<string>>();
      byPath.set(path, here.set(privilege, (here.get(privilege) ?? new Set()).add(what)));
    }
  }
  return [...byPath]
    .map(([path, privileges]) => {
      const each = [...privileges].map(([name, reasons]) => `${name} for ${[...reasons].join(', ')}`);
      return { path, text: each.sort().join('; ') };
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

function isAbove(path: string, below: string): boolean {
  return path !== below && below.startsWith(path.endsWith('/') ? path : `${path}/`);
}

const CONFIG = ['CDROM', 'CPU', 'Cloudinit', 'Disk', 'HWType', 'Memory', 'Network', 'Options'];
const GUESTS = ['VM.Allocate', 'VM.Audit', 'VM.Clone', 'VM.Migrate', 'VM.PowerMgmt', 'VM.Snapshot'];
/** PVE 9 split VM.Monitor up. */
const AGENT = { 8: ['VM.Monitor'], 9: ['VM.GuestAgent.Audit', 'VM.GuestAgent.FileRead'] } as const;

/** What does for every machine without devices of a node, whatever its spec says; by the version of Proxmox. */
export function leastRole(version: 8 | 9): Missing[] {
  return [
    { path: '/', privileges: ['Sys.Audit'] },
    { path: '/pool', privileges: ['Pool.Audit'] },
    { path: '/sdn/zones/localnetwork', privileges: ['SDN.Use'] },
    { path: '/storage', privileges: ['Datastore.AllocateSpace', 'Datastore.Audit'] },
    {
      path: '/vms',
      privileges: [...GUESTS, ...CONFIG.map(area => `VM.Config.${area}`), ...AGENT[version]].sort(),
    },
  ];
}

/** What it takes besides for `image.url`, cloud-init data of one's own, `ha`, `startup` and another pool. */
export function moreOfRole(): Missing[] {
  return [
    { path: '/', privileges: ['Sys.Console', 'Sys.Modify'] },
    { path: '/nodes', privileges: ['Sys.AccessNetwork', 'Sys.Audit'] },
    { path: '/pool', privileges: ['Pool.Allocate', 'Pool.Audit'] },
    {
      path: '/storage',
      privileges: [
        'Datastore.Allocate',
        'Datastore.AllocateSpace',
        'Datastore.AllocateTemplate',
        'Datastore.Audit',
      ],
    },
  ];
}
