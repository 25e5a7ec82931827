import type { MachineSpec } from '../../spec';
import type { Action, Change } from '../action';
import type { Mark } from '../mark';
import type { ObservedGuest } from '../observed';

/**
 * Starting or stopping, where the spec says which, or where a restart of ours was cut between its stop and its start.
 * A power that is not known is left alone: read it first.
 */
export function powerActions(
  spec: MachineSpec,
  now: ObservedGuest['power'],
  mark?: Mark,
): { actions: Action[]; changes: Change[] } {
  const said = spec.power ?? 'running';
  const to = said === 'unmanaged' && mark?.s === 1 ? 'running' : said;
  if (to === 'unmanaged' || now === 'unknown' || now === to) return { actions: [], changes: [] };
  return {
    actions: [{ kind: 'power', to }],
    changes: [{ field: 'power', from: now, to, effect: to === 'running' ? 'live' : 'restart' }],
  };
}
