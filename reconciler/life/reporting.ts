import { isDeepStrictEqual } from 'node:util';
import type { Action, Warning } from '../action';
import type { Report } from '../event';
import type { ObservedGuest } from '../observed';

/** What is told of one machine while it is worked on: each thing once, however often it is tried or planned again. */
export class Reporting {
  /** Told last, and not ended well yet: one that is tried again is reported once, how often is counted elsewhere. */
  private begunAction: Action | undefined;
  private toldPercent = false;
  private readonly told = new Set<string>();

  constructor(
    private readonly machine: string,
    private readonly report: Report,
  ) {}

  /** Says what it does, or waits for; the line begins with its name. */
  readonly say = (text: string): void => this.report({ kind: 'progress', machine: this.machine, text });
  readonly warn = (text: string): void => this.report({ kind: 'warning', machine: this.machine, text });

  /** How far the task of an action is. */
  readonly percent = (percent: number): void => {
    this.toldPercent = true;
    this.report({ kind: 'percent', machine: this.machine, percent });
  };

  started(action: Action, guest: ObservedGuest | undefined): void {
    const isAgain = isDeepStrictEqual(action, this.begunAction);
    // what was told is of the attempt before
    if (isAgain && this.toldPercent) this.report({ kind: 'percent', machine: this.machine, percent: 0 });
    this.toldPercent = false;
    if (isAgain) return;
    this.begunAction = action;
    const { vmid, node } = ('vmid' in action ? action : guest) ?? { vmid: undefined, node: undefined };
    this.report({ kind: 'started', machine: this.machine, action, vmid, node });
  }

  finished(action: Action, { vmid, node }: { vmid: number; node: string }, elapsedMs: number): void {
    this.begunAction = undefined;
    this.report({ kind: 'finished', machine: this.machine, action, vmid, node, elapsedMs });
  }

  /** This action ends the run: no more is tried. */
  failed(action: Action, error: unknown): void {
    this.report({ kind: 'failed', machine: this.machine, action, error });
  }

  /** What a plan warns of. A later round says it again, perhaps with another number. */
  warnOnce({ about, text }: Warning): void {
    if (this.isNew(about)) this.warn(text);
  }

  /** What a plan notes, which each round of a run says again. */
  noteOnce(text: string): void {
    if (this.isNew(text)) this.say(text);
  }

  private isNew(about: string): boolean {
    const isNew = !this.told.has(about);
    this.told.add(about);
    return isNew;
  }
}
