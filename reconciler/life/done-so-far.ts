import { type Action, type GuestPlace, type MachinePlan, makesGuest, startsGuest } from '../action';
import { generationOf } from '../guest/generation';
import type { Identity } from '../mark/identity';
import { machineUuid } from '../mark/machine-uuid';
import type { ObservedGuest, ObservedMachine } from '../observed';
import type { Done } from '../machine/plan-context';

/** What a run did to one machine, as far as its later rounds plan with it. */
export class DoneSoFar implements Done {
  readonly uuid: string;
  hasActed = false;
  /** What is destroyed to be made anew ran, and this run stopped it, or an earlier one of ours that was cut. */
  wasRunning = false;
  firstGeneration: string | undefined;
  private isSeen = false;
  /** This run has begun to start the guest's system, also where the answer to that was lost. */
  hasStarted = false;
  /** The mark's token when this run saw the guest first: the one of this very apply, where an earlier try did not end. */
  foundToken: string | undefined;
  /** It has begun to, also where the answer to that was lost. */
  hasReverted = false;
  isReverted = false;
  isMade = false;
  /** Where it has made the guest. */
  private made: GuestPlace | undefined;
  readonly resized: Record<string, string> = {};
  /** How often the server told nothing of its task, by action. */
  private readonly untoldTasks = new Map<string, number>();
  /** The snapshots that were taken, and ended well. */
  private readonly taken: string[] = [];
  /** A listing that shows one has the last word. */
  readonly toldGone = new Set<string>();
  /** It has begun to: nothing is destroyed on its strength. */
  hasHealed = false;

  constructor(identity: Identity) {
    this.uuid = machineUuid(identity);
  }

  /** Whether a guest is there because this run made it, also where the answer to its creation was lost. */
  hasMade({ mark }: ObservedGuest): boolean {
    return mark?.uuid === this.uuid;
  }

  /** To be called before a guest is destroyed, and again directly before it is stopped for that. */
  destroys({ power, mark }: ObservedGuest, stopsIt: boolean): void {
    if (stopsIt ? power !== 'stopped' : power !== 'running' && mark?.isRestarting === true)
      this.wasRunning = true;
  }

  /** To be called before an action. */
  begins(action: Action): void {
    this.hasActed = true;
    if (action.kind === 'roll-back') this.hasReverted = true;
    if (startsGuest(action)) this.hasStarted = true;
  }

  /** To be called with what was observed, before it is planned. */
  sees(have: ObservedMachine): void {
    if (this.isSeen || !('guest' in have)) return;
    this.isSeen = true;
    this.firstGeneration = generationOf(have.guest.current);
  }

  /** The guest that this run made, when its plan makes one again. */
  madeBefore({ actions }: MachinePlan): GuestPlace | undefined {
    return actions.some(makesGuest) ? this.made : undefined;
  }

  /** To be called with an action of whose task nothing is told: how often that was so. */
  untold(action: Action): number {
    const key = JSON.stringify(action);
    const times = (this.untoldTasks.get(key) ?? 0) + 1;
    this.untoldTasks.set(key, times);
    return times;
  }

  /** Whether a plan takes a snapshot that it has taken twice: Proxmox ends it well, and shows none. */
  takesInVain({ actions }: MachinePlan): boolean {
    const times = (name: string): number => this.taken.filter(each => each === name).length;
    return actions.some(action => action.kind === 'take-snapshot' && times(action.name) >= 2);
  }

  note(action: Action, guest: ObservedGuest | undefined): void {
    if (makesGuest(action)) {
      this.isMade = true;
      this.made = { node: action.node, vmid: action.vmid };
    }
    if (action.kind === 'roll-back') this.isReverted = true;
    if (action.kind === 'take-snapshot') this.taken.push(action.name);
    if (action.kind === 'resize') this.resized[action.slot] = guest?.current[action.slot] ?? '';
  }
}
