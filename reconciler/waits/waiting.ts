import { TimeUpError, messageOf } from '../errors';
import type { Report } from '../event';
import { Notice, span } from './notice';
import { patient, pause, pauseAfter, waitUntil, type Pve, isFailure } from '../pve';
import type { TimeLimit } from './time-limit';

/** What waiting needs of a run. */
interface RunPart {
  readonly pve: Pve;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Whether what is waited for is there; the next look, if not, follows after some such pause. */
type Look = (pauseMs: number) => Promise<true | undefined>;

/** The waiting for one machine in one run: within its time, ended by an interrupt, and told ever more rarely. */
export class Waiting {
  private readonly retries: Retries;
  private troubledSince: number | undefined;
  private readonly roundsNotice = new Notice();
  /** How often each cause came since something went well. */
  private readonly times = new Map<string, number>();

  constructor(
    readonly machine: string,
    readonly limit: TimeLimit,
    private readonly around: RunPart,
  ) {
    this.retries = new Retries(text => this.tell(text));
  }

  /** Looks, ever more rarely, until there is something to see. Fails with `TimeUpError` when the time is up. */
  async until(what: () => string | Promise<string>, look: Look, notice = new Notice()): Promise<void> {
    const started = performance.now();
    const pausing = async (elapsedMs: number): Promise<void> => {
      if (notice.isDue(elapsedMs)) this.tellWait(await what(), elapsedMs);
    };
    const wait = { pauses: this.pauses, until: this.limit.until, signal: this.around.signal, pausing };
    if (await waitUntil(() => look(pauseAfter(performance.now() - started, this.pauses)), wait)) return;
    throw this.timeUp(`it waited ${span(performance.now() - started)} for ${await what()}`);
  }

  /** Tells what is waited for where each look is a round of its own, and makes the rests longer. */
  inRounds(what: string): void {
    this.troubledSince ??= performance.now();
    const elapsedMs = performance.now() - this.troubledSince;
    if (this.roundsNotice.isDue(elapsedMs)) this.tellWait(what, elapsedMs);
  }

  private tellWait(what: string, elapsedMs: number): void {
    this.tell(`waits for ${what}: ${span(elapsedMs)} so far, at most ${this.limit.allowed}.`);
  }

  /** Looks until there is something to see, but no longer than this, and says nothing of it. */
  briefly<T>(ms: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const until = Math.min(this.limit.until, performance.now() + ms);
    return waitUntil(look, { pauses: this.pauses, until, signal: this.around.signal });
  }

  /**
   * Tells what came between, once, and counts it from then on. Throws it when the time is up. How often it came, this
   * time included, since something went well.
   */
  disturbed(error: unknown): number {
    this.around.signal.throwIfAborted();
    const cause = causeOf(error);
    if (this.limit.isUp()) throw this.timeUp(`it was tried until then, and ${cause}`, error);
    this.retries.note(cause);
    this.troubledSince ??= performance.now();
    const times = (this.times.get(cause) ?? 0) + 1;
    this.times.set(cause, times);
    return times;
  }

  /** Pauses before something is tried again: longer while nothing goes well. */
  async rest(): Promise<void> {
    const now = performance.now();
    const ms = pauseAfter(now - (this.troubledSince ?? now), this.pauses);
    await pause(Math.max(0, Math.min(ms, this.limit.until - now)), this.around.signal);
  }

  /** Something went well. */
  wentWell(): void {
    this.troubledSince = undefined;
    this.times.clear();
  }

  /** No more is tried: tells how often what came between did so. */
  end(): void {
    this.retries.end();
  }

  private get pauses() {
    return patient(this.around.pve.config.poll);
  }

  /** What is thrown when the time is up. */
  timeUp(why: string, cause?: unknown): TimeUpError {
    return new TimeUpError(this.machine, `${this.limit.field} allows ${this.limit.allowed}`, why, cause);
  }

  private tell(text: string): void {
    this.around.report({ kind: 'progress', machine: this.machine, text });
  }
}

/** What went wrong, without the advice for people who would run it again themselves. */
function causeOf(error: unknown): string {
  if (isFailure(error)) return error.said;
  return messageOf(error);
}

/** Tells what came between and is tried again: each cause once, and at the end how often it was tried again in all. */
class Retries {
  private readonly causes = new Set<string>();
  private since = 0;
  private again = 0;

  constructor(private readonly tell: (text: string) => void) {}

  note(cause: string): void {
    if (this.again === 0) this.since = performance.now();
    this.again += 1;
    if (this.causes.has(cause)) return;
    this.causes.add(cause);
    this.tell(`${cause} It is tried again.`);
  }

  /** No more is tried: what was counted is reported. */
  end(): void {
    if (this.again > this.causes.size)
      this.tell(`tried again ${this.again} times in ${span(performance.now() - this.since)}.`);
    this.causes.clear();
    this.again = 0;
  }
}
