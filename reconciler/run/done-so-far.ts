import type { Action, GuestPlace, MachinePlan } from '../action';
import { generationOf } from '../guest/generation';
import type { Identity } from '../mark/identity';
import { machineUuid } from '../mark/machine-uuid';
import type { ObservedGuest } from '../observed';
import type { PlanContext } from '../machine/plan-context';

/** What a run did to one machine, as far as its later rounds plan with it. */
export class DoneSoFar {
  /** The uuid of a guest that this run makes. */
  readonly uuid: string;
  /** What is destroyed to be made anew ran, and this run stopped it, or an earlier one of ours that was cut. */
  private wasRunning = false;
  private first: { generation: string | undefined } | undefined;
  /** This run has begun to start the guest's system, also where the answer to that was lost. */
  hasStarted = false;
  /** The mark's token when this run saw the guest first: the one of this very apply, where an earlier try did not end. */
  foundToken: string | undefined;
  /** This run has begun to go back to a snapshot, also where the answer to that was lost. */
  private hasReverted = false;
  /** Where this run has made the guest. */
  private made: GuestPlace | undefined;
  private readonly resized: Record<string, string> = {};
  /** The volumes of its disks that Proxmox said are not there. A listing that shows one has the last word. */
  readonly toldGone = new Set<string>();

  /** This run has begun to write a lost mark again: nothing is destroyed on its strength. */
  hasHealed = false;

  constructor(identity: Identity) {
    this.uuid = machineUuid(identity);
  }

  /** Whether a guest is there because this run made it, also where the answer to its creation was lost. */
  hasMade({ mark }: ObservedGuest): boolean {
    return mark?.u === this.uuid;
  }

  /** To be called before a guest is destroyed, and again directly before it is stopped for that. */
  destroys({ power, mark }: ObservedGuest, stopsIt: boolean): void {
    if (stopsIt ? power !== 'stopped' : power !== 'running' && mark?.s === 1) this.wasRunning = true;
  }

  /** To be called before an action. */
  begins(action: Action): void {
    if (action.kind === 'roll-back') this.hasReverted = true;
    if (action.kind === 'restart' || (action.kind === 'power' && action.to === 'running'))
      this.hasStarted = true;
  }

  /** The generation that the guest had when this run saw it first: a rollback gives it another one. */
  firstSeen({ current }: ObservedGuest): string | undefined {
    this.first ??= { generation: generationOf(current) };
    return this.first.generation;
  }

  /** The guest that this run made, when its plan makes one again. */
  madeBefore({ actions }: MachinePlan): GuestPlace | undefined {
    return actions.some(makes) ? this.made : undefined;
  }

  note(action: Action, guest: ObservedGuest | undefined): void {
    if (makes(action)) this.made = { node: action.node, vmid: action.vmid };
    if (action.kind === 'resize') this.resized[action.slot] = guest?.current[action.slot] ?? '';
  }

  forPlan(): Pick<
    PlanContext,
    'uuid' | 'resized' | 'wasRunning' | 'isMade' | 'hasHealed' | 'hasReverted' | 'toldGone'
  > {
    const { uuid, wasRunning, hasHealed, hasReverted } = this;
    const toldGone = [...this.toldGone];
    const isMade = this.made !== undefined;
    return { uuid, resized: { ...this.resized }, wasRunning, isMade, hasHealed, hasReverted, toldGone };
  }
}

function makes(action: Action): action is Extract<Action, { kind: 'create' | 'clone' }> {
  return action.kind === 'create' || action.kind === 'clone';
}
