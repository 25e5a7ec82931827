import { type Cause, makesGuest } from '../action';
import { RefusedError } from '../errors';
import type { Event } from '../event';
import { PveError, TaskError } from '../pve';
import { actionText, planTexts } from '../report/action-text';
import { causeText } from '../report/failure-text';
import type { LogEntry } from '../report/log-line';
import { LEVEL_OF } from '../report/level';
import { percentText } from '../report/lines';

/** The line of an event: words that people search for. Holds no secret: what Proxmox says was masked where it came in. */
export function lineOf(event: Event): LogEntry {
  if (event.kind === 'failed') return failureLine(event.error, event.machine);
  const level = LEVEL_OF[event.kind];
  return { level, message: messageOf(event), fields: { machine: event.machine, ...fieldsOf(event) } };
}

type NotFailed = Exclude<Event, { kind: 'failed' }>;

function messageOf(event: NotFailed): string {
  switch (event.kind) {
    case 'planned':
      return 'Planned';
    case 'started':
      return 'Started';
    case 'finished': {
      return makesGuest(event.action) ? 'Successfully created VM' : 'Finished';
    }
    case 'must-start':
      return event.must ? 'Has to be started again' : 'Does not need a restart';
    case 'progress':
    case 'warning':
      return event.text;
    case 'percent':
      return percentText(event.percent);
  }
}

function fieldsOf(event: NotFailed): LogEntry['fields'] {
  if (event.kind === 'planned') return { does: planTexts(event.plan.actions).join('; ') };
  if (event.kind !== 'started' && event.kind !== 'finished') return {};
  const { action, vmid, node } = event;
  const place = { action: actionText(action), vmid, node };
  return event.kind === 'finished' ? { ...place, elapsedMs: event.elapsedMs } : place;
}

/** The line of a failure; several lines of one text stand in its field. */
export function failureLine(error: unknown, machine?: string): LogEntry {
  const named = machine === undefined ? {} : { machine };
  if (error instanceof PveError && error.kind === 'unauthenticated')
    return {
      level: 'error',
      message: 'Authentication failed',
      fields: { ...named, error: 'invalid credentials', detail: error.message },
    };
  const [refusal] = error instanceof RefusedError ? error.refusals : [];
  const cause = refusal?.cause;
  const upid = error instanceof TaskError ? { upid: error.task.upid, node: error.task.node } : {};
  const fields = { ...named, ...upid, ...cause?.facts, error: causeText(error) };
  const message = cause ? SEARCHED[cause.about] : refusal ? 'Refused' : 'Failed';
  return { level: 'error', message, fields };
}

const SEARCHED: Readonly<Record<Cause['about'], string>> = {
  resources: 'Insufficient resources',
  bridge: 'Bridge not found',
};
