import { ALWAYS, milliseconds, type MachineSpec } from '../../spec';

/** In the order in which one run may come to them: what follows is never followed by what went before. */
const WORKS = ['apply', 'destroy', 'create'] as const;
type Work = (typeof WORKS)[number];

/** How long the work on one machine may take: by the spec's `timeouts`, each for what it names. */
export class TimeLimit {
  /** By a clock that nobody sets: a day that jumps ends nothing early, and makes nothing last. */
  private started = performance.now();
  private work: Work | undefined;

  constructor(private timeouts: MachineSpec['timeouts'] = undefined) {}

  /**
   * Says what the time goes to. The rest of a creation belongs to it; a machine that is destroyed to be made anew
   * has the time of each, one after the other, however often either is tried.
   */
  begin(work: Work): void {
    if (this.work !== undefined && WORKS.indexOf(work) <= WORKS.indexOf(this.work)) return;
    if (this.work !== undefined) this.started = performance.now();
    this.work = work;
  }

  /** Somebody else than the spec knows how long it may take; undefined changes nothing. */
  allow(work: Work, duration: string | undefined): void {
    if (duration !== undefined) this.timeouts = { ...this.timeouts, [work]: duration };
  }

  /** Time that this program did not work on the machine does not count. */
  extend(ms: number): void {
    this.started += ms;
  }

  /** The moment at which it is up, as of `performance.now`. */
  get until(): number {
    return this.started + milliseconds(this.allowed);
  }

  isUp(): boolean {
    return performance.now() >= this.until;
  }

  /** How long it is in all, as text. */
  get allowed(): string {
    const work = this.work ?? 'apply';
    return this.timeouts?.[work] ?? ALWAYS.timeouts[work];
  }

  /** The field of the spec that sets it. */
  get field(): string {
    return `timeouts.${this.work ?? 'apply'}`;
  }
}
