import type { Action } from '../action';
import type { Event } from '../event';
import { actionText } from './action-text';
import { percentText, seconds } from './lines';

/** What is being done to which machine right now. */
export class InProgress {
  private readonly toStart = new Set<string>();
  private readonly works = new Map<string, { action: Action; since: number; percent?: number | undefined }>();

  /** Takes note of an event. */
  note(event: Event, now: number): void {
    if (event.kind === 'started') this.works.set(event.machine, { action: event.action, since: now });
    const work = event.kind === 'percent' ? this.works.get(event.machine) : undefined;
    // an attempt that begins anew has told nothing yet
    if (work && event.kind === 'percent') work.percent = event.percent === 0 ? undefined : event.percent;
    if (event.kind === 'must-start') this.toStart[event.must ? 'add' : 'delete'](event.machine);
    if (event.kind === 'finished' || event.kind === 'failed') this.works.delete(event.machine);
  }

  /** Nothing is done to this machine any more, however it went. */
  ended(machine: string): void {
    this.works.delete(machine);
    this.toStart.delete(machine);
  }

  /** Whether this run has stopped a machine that it still has to start again. */
  get mustStart(): boolean {
    return this.toStart.size > 0;
  }

  /** One line a machine. */
  lines(now: number): string[] {
    return [...this.works].map(([machine, { action, since, percent }]) => {
      const copied = percent === undefined ? '' : `, ${percentText(percent)}`;
      return `${machine}: ${actionText(action)} (${seconds(now - since)}${copied})`;
    });
  }
}
