import type { MachineSpec } from '../../spec';
import type { Action, Change } from '../action';
import type { ObservedGuest } from '../observed';

/** Pool and node of a guest that is there. Another node is a difference only for a machine that is pinned. */
export function placeChanges(
  spec: MachineSpec,
  guest: ObservedGuest,
): { actions: Action[]; changes: Change[] } {
  const actions: Action[] = [];
  const changes: Change[] = [];
  const pool = spec.pool ?? (spec.clear?.includes('pool') === true ? undefined : guest.pool);
  if (pool !== guest.pool) {
    actions.push({ kind: 'set-pool', pool });
    changes.push({ field: 'pool', from: guest.pool, to: pool, effect: 'live' });
  }
  if (spec.pin === true && spec.node !== undefined && spec.node !== guest.node) {
    actions.push({ kind: 'migrate', to: spec.node, online: guest.power === 'running' });
    changes.push({ field: 'node', from: guest.node, to: spec.node, effect: 'live' });
  }
  return { actions, changes };
}
