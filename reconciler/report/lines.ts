import { makesGuest } from '../action';
import type { Event } from '../event';
import { oneLine } from './visible';
import { actionText, planTexts } from './action-text';
import { failureText, reasonText } from './failure-text';

/** One event as one line, prefixed by its machine; a failure may have more, to copy. Holds no secret. */
export function lineOf(event: Event): string {
  if (event.kind === 'failed') return indented(failureText(event.error, event.machine, event.action));
  return `${event.machine}: ${oneLine(textOf(event))}`;
}

/** What happened, in words, without the machine. */
export function textOf(event: Event): string {
  switch (event.kind) {
    case 'planned':
      return `planned ${planTexts(event.plan.actions).join('; ') || 'nothing to do'}`;
    case 'started':
      return actionText(event.action);
    case 'must-start':
      return event.must ? 'is stopped by this run, which has to start it again' : 'does not need a restart';
    case 'progress':
      return event.text;
    case 'percent':
      return percentText(event.percent);
    case 'warning':
      return `WARNING: ${event.text}`;
    case 'finished':
      return `${doneText(event)} (${seconds(event.elapsedMs)})`;
    case 'failed':
      return reasonText(event.error, event.action);
  }
}

function doneText({ action, vmid, node }: Extract<Event, { kind: 'finished' }>): string {
  return makesGuest(action) ? `Successfully created VM ${vmid} on ${node}` : `done ${actionText(action)}`;
}

/** What a message holds of several lines stands below its first: none of them is a message of its own. */
export function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** How much of a task is done, for people. */
export function percentText(percent: number): string {
  return `${percent} % done`;
}

/** A duration for people. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
