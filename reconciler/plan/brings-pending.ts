import { writtenKeys, type MachinePlan } from '../action';
import type { LostVolume } from '../../spec';
import { lostByForce } from '../guest/losses';
import { isHibernated } from '../guest/hibernated';
import type { ObservedGuest } from '../observed';

/** What is done to a guest in a run, and whether it is restarted in it. */
type Doing = Pick<MachinePlan, 'actions' | 'restart'>;

/**
 * What of a run brings all that waits in Proxmox, in words; undefined: nothing does. A stop brings it as a start does, and
 * so does any write to a guest that is off, whatever it writes (behaviour.md §4).
 */
export function bringsPending(doing: Doing, guest: ObservedGuest): string | undefined {
  const { actions, restart } = doing;
  const { power } = guest;
  const goesTo = (to: string): boolean => actions.some(each => each.kind === 'power' && each.to === to);
  // PVE: it stops the guest hard first (QemuConfig.pm, __snapshot_rollback_vm_stop, as read)
  if (power !== 'stopped' && goesBack(doing)) return 'Going back';
  if (restart === 'now') return 'The restart';
  if (goesTo('running')) return isHibernated(guest) ? undefined : 'The start';
  if (goesTo('stopped')) return 'The stop';
  const isWritten = power !== 'running' && actions.some(({ kind }) => kind === 'configure');
  return isWritten ? 'The write, as the machine is off,' : undefined;
}

/** Whether the guest goes back to a snapshot: its configuration is that of the snapshot then, whatever waited. */
export function goesBack({ actions }: Pick<Doing, 'actions'>): boolean {
  return actions.some(({ kind }) => kind === 'roll-back');
}

/** The volumes whose end somebody left waiting in Proxmox, and that a run brings. A line that is written again stays. */
export function lostByPending(guest: ObservedGuest, doing: Doing): LostVolume[] {
  const lost = lostByForce(guest);
  if (lost.length === 0 || bringsPending(doing, guest) === undefined) return [];
  const written = doing.actions.flatMap(each => (each.kind === 'configure' ? writtenKeys(each) : []));
  return lost.filter(({ slot }) => !written.includes(slot));
}
