import { isDeepStrictEqual } from 'node:util';
import { uuidOf } from '../guest/uuid';
import { canonical, type MachineOutputs, type MachineSpec } from '../../spec';
import type { ObservedGuest } from '../observed';
import { keptImage } from '../mark/image-change';
import { aboutOf } from '../outputs/conditions';
import {
  absentOutputs,
  failedOutputs,
  machineOutputs,
  unreadOutputs,
  type OutputFacts,
} from '../outputs/machine';
import type { Outcome } from '../life/reconcile-machine';
import { causeText } from '../report/failure-text';
import { visible } from '../report/visible';
import { backoffMs, isLasting } from './backoff';

/** What was read of a machine beside its configuration. Of the guest only what tells whether it has changed since. */
type Kept = Omit<OutputFacts, 'guest'> & { guest: ReturnType<typeof tellingOf> };

function tellingOf({ vmid, node, power, still, digest }: ObservedGuest) {
  return { vmid, node, power, still, digest };
}

/** What is known of an attempt that failed, beside its error. */
interface Failure {
  isOver: boolean;
  isThere: boolean;
  isSeen?: boolean;
}

/** What the daemon remembers of one machine. Nothing of it is needed to begin again. */
export class MachineRecord {
  outputs: MachineOutputs = absentOutputs();
  /** Until when what was read of it beside its configuration is recent enough. */
  seenUntil = 0;
  /** What is being done to it. */
  doing: string | undefined;
  /** What its last attempt warned of. */
  notes: string[] = [];
  /** What was last brought back to the spec, and when. */
  drift: { at: string; changes: string[] } | undefined;
  error: string | undefined;
  lastUpdated: string | undefined;
  isAtWork = false;
  /** Whether its attempt creates it. */
  isBeingMade = false;
  /** A guest was made for it whose first configuration is not written yet: it is no machine. Holds until that is done. */
  isHalfMade = false;
  /** Whether its attempt wrote that. */
  isMade = false;
  /** The number of its guest, as long as nobody here has destroyed it: it may be there, and not be seen any more. */
  seenAs: number | undefined;
  private kept: Kept | undefined;
  /** Tells what is kept from what is of another guest with its number. */
  private keptUuid: string | undefined;
  /** What its outputs were made from; undefined: they tell something else than how it was read. */
  private shown: Kept | undefined;
  /** The status of each condition, and since when it holds. */
  private readonly transitions = new Map<string, { status: string; since: string }>();
  private failures = 0;
  /** The text of what is wanted of it. */
  private wanted = '';
  /** It is wanted otherwise than its last attempt knew, or is to be tried again. */
  isNews = true;
  /** When somebody changed what is wanted of it; undefined: nobody did since its last attempt began. */
  changedAt: number | undefined;
  /** The round in which it waits for its turn: one of all machines, or of some; undefined: it does not wait. */
  waitsIn: 'all' | 'some' | undefined;
  /** When its last attempt began. */
  begunAt = 0;
  private isStuck = false;
  /** By the clock that only goes on: the time of day may be set. */
  private waitsUntil = 0;

  constructor(
    readonly owner: string,
    public spec: MachineSpec,
  ) {}

  /**
   * Takes the spec as it is now, and what else is said of it. A new one is tried at once, whatever came of the one before.
   * `isFirst`: nobody has changed it, all are new.
   */
  want(spec: MachineSpec, beside: unknown = [], isFirst = false): void {
    const text = canonical([spec, beside]);
    if (text !== this.wanted) {
      this.isNews = true;
      if (!isFirst) this.changedAt ??= performance.now();
      // its turn was for what was wanted before
      this.waitsIn = undefined;
      // they tell of its image
      this.shown = undefined;
    }
    if (this.isNews || this.hasFailed) this.tryAgain();
    this.wanted = text;
    this.spec = spec;
  }

  /** What kept it from its spec may be over. */
  tryAgain(): void {
    this.isNews ||= this.hasFailed;
    this.waitsUntil = 0;
    this.failures = 0;
  }

  /** An attempt at what is wanted now has its turn next. */
  begins(): void {
    this.isAtWork = true;
    this.isNews = false;
    this.changedAt = undefined;
    this.begunAt = performance.now();
  }

  /** What is wanted of it is not done here: nothing begins until it is wanted otherwise. */
  isNotForUs(): void {
    this.isNews = false;
    this.changedAt = undefined;
  }

  /** Whether it takes part in a round: all that do not wait after a failure. One that waits for its turn keeps waiting. */
  isFree(now: number): boolean {
    return !this.isAtWork && this.waitsUntil <= now;
  }

  /** Whether it need not wait for a round of all: it is wanted otherwise, or its pause after a failure is over. */
  isDue(now: number): boolean {
    return this.waitsIn !== 'all' && (this.isNews || this.waitsUntil > 0) && this.isFree(now);
  }

  /** When it is to be tried again before the next round; undefined: it is not, or it waits for its turn already. */
  get retryAt(): number | undefined {
    if (this.isAtWork || this.waitsIn !== undefined) return undefined;
    return this.isNews || this.waitsUntil > 0 ? this.waitsUntil : undefined;
  }

  /** Whether its last attempt failed. */
  get hasFailed(): boolean {
    return this.failures > 0;
  }

  /** Whether the guest is as it was when it was seen. */
  isSeenAs(outcome: Outcome): boolean {
    if (outcome.kind === 'paused' || outcome.guest === undefined || this.kept === undefined) return false;
    return isDeepStrictEqual(tellingOf(outcome.guest), this.kept.guest);
  }

  /** Takes what was read beside the configuration; undefined: there is no guest. */
  see(seen: OutputFacts | undefined): void {
    if (seen === undefined) return void (this.kept = undefined);
    this.keptUuid = uuidOf(seen.guest.current);
    this.seenAs = seen.guest.vmid;
    this.kept = { ...seen, guest: tellingOf(seen.guest) };
  }

  /** Takes a guest of which only the configuration was read: what was read before stays where it is told of the same. */
  seeAgain(unread: OutputFacts): void {
    const { guest } = unread;
    const last = this.kept;
    this.seenUntil = 0;
    if (last?.guest.vmid !== guest.vmid || this.keptUuid !== uuidOf(guest.current)) return this.see(unread);
    const isSame = last.guest.power === guest.power && last.guest.still === guest.still;
    const { powerState, still, interfaces } = isSame ? last : unread;
    this.kept = { ...last, powerState, still, interfaces, guest: tellingOf(guest) };
  }

  wentWell(outcome: Outcome): void {
    this.failures = 0;
    this.isStuck = false;
    this.isHalfMade = false;
    this.waitsUntil = 0;
    this.error = undefined;
    this.outputs = this.outputsAfter(outcome);
    this.shown = this.isSeenAs(outcome) ? this.kept : undefined;
    this.updated();
  }

  /** Takes what was seen of a guest that is whole, of an attempt that does not end well all the same. */
  stands(outcome: Outcome): void {
    this.isHalfMade = false;
    this.outputs = this.outputsAfter(outcome);
  }

  /**
   * `isOver`: what it failed by is not so any more; `isThere`: whether it has a guest all the same; `isSeen`: its outputs
   * tell why it failed.
   */
  failed(error: unknown, { isOver, isThere, isSeen = false }: Failure): void {
    this.failures += 1;
    // what came meanwhile was not tried yet
    this.isStuck = !this.isNews && isLasting(error);
    if (!this.isNews) this.waitsUntil = isOver ? 1 : performance.now() + backoffMs(error, this.failures);
    this.error = visible(causeText(error));
    if (!isSeen) this.outputs = failedOutputs(this.outputs, isThere, this.error, aboutOf(error));
    this.shown = undefined;
    this.updated();
  }

  private updated(): void {
    const now = new Date().toISOString();
    this.lastUpdated = now;
    for (const { type, status } of this.outputs.conditions)
      if (this.transitions.get(type)?.status !== status) this.transitions.set(type, { status, since: now });
  }

  /** How it stands, as plain data. */
  told(cluster: string): object {
    const { doing, drift, error, notes, owner, outputs, spec, lastUpdated } = this;
    const conditions = outputs.conditions.map(condition => {
      const lastTransitionTime = this.transitions.get(condition.type)?.since;
      return { ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) };
    });
    return {
      machine: spec.id,
      owner,
      cluster,
      ...(spec.mode !== undefined && spec.mode !== 'reconcile' && { mode: spec.mode }),
      ...outputs,
      conditions,
      ...(doing !== undefined && { doing }),
      ...(drift !== undefined && { drift }),
      ...(notes.length > 0 && { notes }),
      ...(error !== undefined && { error, waitsForNewSpec: this.isStuck }),
      ...(this.waitsUntil > 1 && { nextTry: timeOf(this.waitsUntil) }),
      ...(lastUpdated !== undefined && { lastUpdated }),
    };
  }

  private outputsAfter(outcome: Outcome): MachineOutputs {
    if (outcome.kind === 'paused') return unreadOutputs();
    if (outcome.guest === undefined || this.kept === undefined) return absentOutputs();
    // nothing that they tell has changed: thousands of new ones in each round would be made for nothing
    if (this.shown === this.kept && this.isSeenAs(outcome)) return this.outputs;
    const { guest } = outcome;
    return machineOutputs({ ...this.kept, guest, keptImage: keptImage(this.spec, guest.mark) });
  }
}

/** The time of day at a moment of `performance.now`. */
function timeOf(moment: number): string {
  return new Date(Date.now() + moment - performance.now()).toISOString();
}
