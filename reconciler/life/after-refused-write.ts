import { type Action, type ActionOf, writtenKeys } from '../action';
import { effectOn } from '../machine/live-or-restart';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { writeConfig } from '../pve';
import type { MachineRun } from './machine-run';

type GuestWrite = ActionOf<'configure' | 'resize' | 'move-disk'>;

/**
 * What a refused write left. Proxmox may have done a part of it all the same: a hotplug that fails leaves the change
 * pending (traps 21). Three ends:
 * - all that is pending was announced to wait for a restart: the work goes on, with what is returned;
 * - what is pending would be refused: it is taken back, and the failure stands (undefined);
 * - it was to be in effect at once: it stays pending, and the failure stands (undefined). No restart comes of a refusal.
 */
export async function afterRefusedWrite(
  machine: MachineRun,
  action: GuestWrite,
): Promise<ObservedMachine | undefined> {
  const have = await machine.reader.observeAnew();
  const { actions, refusals } = await machine.planner.planOnAll(have);
  const guest = 'guest' in have ? have.guest : undefined;
  const left = guest ? leftPending(action, guest) : [];
  if (refusals.length > 0 && guest && left.length > 0) await takeBack(machine, guest, left);
  const isInVain = refusals.length > 0 || actions.some(next => isRepeated(next, action));
  return isInVain || left.some(key => guest && wasLive(key, guest)) ? undefined : have;
}

function leftPending(action: GuestWrite, { pending }: ObservedGuest): string[] {
  return partsOf(action).filter(key => pending[key] !== undefined);
}

function wasLive(key: string, { current, pending, power }: ObservedGuest): boolean {
  return effectOn(current, power === 'running')(key, pending[key] ?? undefined) === 'live';
}

async function takeBack(machine: MachineRun, guest: ObservedGuest, keys: string[]): Promise<void> {
  await writeConfig(machine.pve, guest, { revert: keys.join(','), digest: guest.digest });
  machine.reporting.warn(`Proxmox refused ${keys.join(', ')}; it was taken back, nothing of it waits.`);
}

/** Whether all of the failed action is still to be done: nothing of it took effect. */
function isRepeated(next: Action, failed: Action): boolean {
  const parts = partsOf(next);
  return next.kind === failed.kind && partsOf(failed).every(part => parts.includes(part));
}

function partsOf(action: Action): string[] {
  if (action.kind === 'configure') return writtenKeys(action);
  return action.kind === 'resize' || action.kind === 'move-disk' ? [action.slot] : [];
}
