import type { Action, Change, Warning } from '../action';
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

/** A node that is not there, of a machine that need not go to it: mostly one that was mistyped. Of one that is pinned it is refused. */
export function nodeOfNobody({ spec, context }: Scene, guest: ObservedGuest): Warning[] {
  const nodes = context.facts.cluster?.nodes.map(({ name }) => name) ?? [];
  if (spec.node === undefined || spec.pin === true || nodes.length === 0 || nodes.includes(spec.node))
    return [];
  const text = `node ${spec.node} is not in the cluster, which has ${nodes.join(', ')}: the machine stays on ${guest.node}, and made anew it would be refused. Name a node that is there, or remove node.`;
  return [{ about: 'node', text }];
}
