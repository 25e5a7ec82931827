import { randomUUID } from 'node:crypto';
import type { Action } from '../action';
import type { ObservedGuest } from '../observed';
import type { PlanContext } from '../machine/plan-context';

/** What a run did to one machine, as far as its later rounds plan with it. */
export class DoneSoFar {
  /** The uuid of a guest that this run makes. */
  readonly uuid = randomUUID();
  private created = false;
  /** What was destroyed to be made anew ran. */
  private wasRunning = false;
  private readonly resized: Record<string, string> = {};

  /** Whether the machine is there because this run made it. */
  get hasCreated(): boolean {
    return this.created;
  }

  note(action: Action, guest: ObservedGuest | undefined): void {
    if (action.kind === 'create' || action.kind === 'clone') this.created = true;
    if (action.kind === 'destroy') this.wasRunning = action.starts === true;
    if (action.kind === 'resize') this.resized[action.slot] = guest?.current[action.slot] ?? '';
  }

  forPlan(): Pick<PlanContext, 'uuid' | 'resized' | 'wasRunning'> {
    return { uuid: this.uuid, resized: { ...this.resized }, wasRunning: this.wasRunning };
  }
}
