import type { World } from '../../../simulator';
import { loadWorld } from '../../../simulator';

/** Two nodes, root, and what a test puts there, as a world file says it. */
export function twoNodeWorld(more: Record<string, unknown> = {}): World {
  return loadWorld({
    nodes: [{ name: 'pve1' }, { name: 'pve2' }],
    cluster: { name: 'test' },
    realms: { pam: { type: 'pam', default: 1 }, pve: { type: 'pve' } },
    users: { 'root@pam': { enable: 1 } },
    ...more,
  });
}
