import type { MachineSpec } from '../../spec';
import type { Action, Change } from '../action';
import type { Mark } from '../mark/mark';
import type { ObservedGuest } from '../observed';

/**
 * Starting or stopping, where the spec says which, or where this machine ran and is not on again yet: a restart or a
 * rebuild of ours. A power that is not known is left alone: read it first. Of a machine of HA, Proxmox hands the same
 * request to HA, and apply/change-power.ts reads what that did.
 */
export function powerActions(
  spec: MachineSpec,
  now: ObservedGuest['power'],
  mark?: Pick<Mark, 'isRestarting'>,
): { actions: Action[]; changes: Change[] } {
  const said = powerWanted(spec);
  const to = said === 'unmanaged' && mark?.isRestarting === true ? 'running' : said;
  if (to === 'unmanaged' || now === 'unknown' || now === to) return { actions: [], changes: [] };
  return {
    actions: [{ kind: 'power', to }],
    changes: [{ field: 'power', from: now, to, effect: to === 'running' ? 'live' : 'restart' }],
  };
}

/** The power that a spec keeps. */
export function powerWanted({
  asTemplate,
  power = 'running',
}: MachineSpec): NonNullable<MachineSpec['power']> {
  return asTemplate === true ? 'stopped' : power;
}

/** Whether the guest that takes this one's place is started: as the spec says, or as this one ran until we stopped it. */
export function startsAnew(
  { power = 'running', asTemplate }: MachineSpec,
  { power: now, mark }: Pick<ObservedGuest, 'power' | 'mark'>,
  wasRunning = false,
): boolean {
  if (asTemplate === true) return false;
  return (
    power === 'running' ||
    (power === 'unmanaged' && (now === 'running' || wasRunning || mark?.isRestarting === true))
  );
}

/** What the mark of a new guest says: that the one whose place it takes ran, where nobody else says so. */
export function ranBefore({ power }: MachineSpec, wasRunning = false): Mark['isRestarting'] {
  return power === 'unmanaged' && wasRunning ? true : undefined;
}
