import type { Action, Change } from '../action';
import type { ObservedGuest } from '../observed';
import { destinationOf } from '../machine/problems/migration-problems';
import type { Scene } from '../machine/scene';

interface Steps {
  actions: Action[];
  changes: Change[];
}

/** Pool and node of a guest that is there. Another node is a difference only for a machine that is pinned. */
export function poolAndNode(scene: Scene, guest: ObservedGuest): Steps {
  const pool = poolChange(scene, guest);
  const move = moveOf(scene, guest);
  return { actions: [...pool.actions, ...move.actions], changes: [...pool.changes, ...move.changes] };
}

/** What brings a guest to the node where it must be. */
export function moveOf(scene: Scene, guest: ObservedGuest): Steps {
  const to = destinationOf(scene, guest);
  if (to === undefined) return { actions: [], changes: [] };
  return {
    actions: [{ kind: 'migrate', to }],
    changes: [{ field: 'node', from: guest.node, to, effect: 'live' }],
  };
}

function poolChange({ spec }: Scene, guest: ObservedGuest): Steps {
  const pool = spec.pool ?? (spec.clear?.includes('pool') === true ? undefined : guest.pool);
  if (pool === guest.pool) return { actions: [], changes: [] };
  return {
    actions: [{ kind: 'set-pool', pool }],
    changes: [{ field: 'pool', from: guest.pool, to: pool, effect: 'live' }],
  };
}
