import type { Event } from '../event';
import { planJson, shownAction } from '../plan/without-secrets';
import { causeText } from './failure-text';
import { LEVEL_OF } from './level';
import { textOf } from './lines';

/** One event as one line of JSON. Holds no secret. */
export function jsonLine(event: Event, now: Date): string {
  const head = {
    time: now.toISOString(),
    level: LEVEL_OF[event.kind],
    machine: event.machine,
    event: event.kind,
  };
  return JSON.stringify({ ...head, message: textOf(event), ...detailOf(event) });
}

/** What is said without an event: a warning of the configuration, an error at the end. */
export function jsonText(level: string, message: string, now: Date): string {
  return JSON.stringify({ time: now.toISOString(), level, message });
}

function detailOf(event: Event): Record<string, unknown> {
  switch (event.kind) {
    case 'planned':
      return { plan: planJson(event.plan) };
    case 'started':
      return { action: shownAction(event.action), vmid: event.vmid, node: event.node };
    case 'finished': {
      const { action, vmid, node, elapsedMs } = event;
      return { action: shownAction(action), vmid, node, elapsedMs };
    }
    case 'failed':
      return { action: event.action && shownAction(event.action), error: causeText(event.error) };
    case 'percent':
      return { percent: event.percent };
    case 'must-start':
    case 'progress':
    case 'warning':
      return {};
  }
}
