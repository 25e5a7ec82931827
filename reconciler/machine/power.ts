import type { MachineSpec } from '../../spec';
import type { Action, Change } from '../action';
import type { ObservedGuest } from '../observed';

/** Starting or stopping, where the spec says which. A power that is not known is left alone: read it first. */
export function powerActions(
  spec: MachineSpec,
  now: ObservedGuest['power'],
): { actions: Action[]; changes: Change[] } {
  const to = spec.power ?? 'running';
  if (to === 'unmanaged' || now === 'unknown' || now === to) return { actions: [], changes: [] };
  return {
    actions: [{ kind: 'power', to }],
    changes: [{ field: 'power', from: now, to, effect: to === 'running' ? 'live' : 'restart' }],
  };
}
