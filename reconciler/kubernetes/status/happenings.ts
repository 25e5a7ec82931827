import { type Action, makesGuest } from '../../action';
import type { RemovalEnding } from '../../daemon/sources/desired-source';
import type { Event } from '../../event';
import { changeLines } from '../../report/change-lines';
import type { Happening } from './event-writer';

/** What people hear of the end of a machine. */
export function endingOf(ending: Exclude<RemovalEnding, { kind: 'stays' }>): Happening {
  const type = 'Normal';
  if (ending.kind === 'gone') return { type, reason: 'Destroyed', message: 'Its guest is gone.' };
  const message =
    ending.kind === 'held-elsewhere'
      ? `Its guest stays as it is: ${ending.by} holds it.`
      : "Its guest stays, without our mark, and is nobody's.";
  return { type, reason: 'Released', message };
}

/** The reason of each action that people hear of. */
const REASONS: Readonly<Partial<Record<Action['kind'], string>>> = {
  create: 'Created',
  clone: 'Created',
  restart: 'Restarted',
  migrate: 'Migrated',
  power: 'PowerChanged',
  destroy: 'Destroyed',
  'take-snapshot': 'SnapshotTaken',
  'delete-snapshot': 'SnapshotDeleted',
  resize: 'Changed',
  configure: 'Changed',
  'move-disk': 'Changed',
};

/** What people hear of an event; undefined: nothing. */
export function happeningOf(event: Event): Happening | undefined {
  if (event.kind === 'planned') {
    const lines = changeLines(event.plan);
    const isNew = event.plan.actions.some(makesGuest);
    if (isNew || lines.length === 0) return undefined;
    return { type: 'Normal', reason: 'Changing', message: lines.join('; ') };
  }
  if (event.kind !== 'finished') return undefined;
  const reason = REASONS[event.action.kind];
  if (reason === undefined) return undefined;
  const { vmid, node } = event;
  const power = event.action.kind === 'power' ? `: ${event.action.to}` : '';
  return { type: 'Normal', reason, message: `VM ${vmid} on ${node}${power}.` };
}
