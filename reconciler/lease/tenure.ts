import { InterruptedError } from '../errors';
import { pause } from '../pve';
import type { Lease } from './lease';

/** After a renewal without an answer. */
const AGAIN_MS = 200;

/** The time in which this process holds a lease, or a part of one. */
export class Tenure {
  private readonly lost = new AbortController();
  private readonly over = new AbortController();
  private readonly goodUntil: Deadline;

  /** `sentAt`: when the request was sent that said last that we hold it. */
  constructor(
    private readonly lease: Pick<Lease, 'title' | 'times'>,
    sentAt: Moment,
  ) {
    this.goodUntil = new Deadline(sentAt, lease.times.goodMs);
  }

  /** Aborted when it may be another's: nothing more is begun then. */
  get signal(): AbortSignal {
    return this.lost.signal;
  }

  /** Throws where the lease may be another's by now. A process that was stopped for a while wakes up without knowing. */
  readonly check = (): void => {
    if (this.goodUntil.isOver()) this.lose('no renewal was answered in time');
    this.lost.signal.throwIfAborted();
  };

  /** Renews until it is lost or ended. */
  async keep(renew: Lease['renew']): Promise<void> {
    const { renewMs } = this.lease.times;
    let restMs = renewMs;
    const ended = AbortSignal.any([this.lost.signal, this.over.signal]);
    while (!ended.aborted) {
      await pause(restMs, ended).catch(() => undefined);
      if (ended.aborted) return;
      const sentAt = now();
      const isHeld = await renew().catch(() => undefined);
      if (isHeld === false) return this.lose('another host may hold it');
      // one lost answer is nothing: there is time to ask again
      restMs = isHeld === true ? renewMs : AGAIN_MS;
      if (isHeld === true) this.renewed(sentAt);
      if (this.goodUntil.isOver()) this.lose('no renewal was answered in time');
    }
  }

  /** A renewal that was sent then has said that we hold it. */
  renewed(sentAt: Moment): void {
    this.goodUntil.move(sentAt);
  }

  end(): void {
    this.over.abort();
  }

  lose(why: string): void {
    if (this.lost.signal.aborted || this.over.signal.aborted) return;
    const message = `${this.lease.title} is lost: ${why}. Nothing more is written; whoever holds it goes on. Running again is safe.`;
    this.lost.abort(new InterruptedError(1, 0, message));
  }
}

/** A moment by two clocks: one stands still while a host sleeps, the other one is set by people. */
export interface Moment {
  steadyMs: number;
  wallMs: number;
}

export function now(): Moment {
  return { steadyMs: performance.now(), wallMs: Date.now() };
}

/** Over as soon as one of both clocks says so. */
class Deadline {
  constructor(
    private from: Moment,
    private readonly ms: number,
  ) {}

  move(from: Moment): void {
    this.from = from;
  }

  isOver(): boolean {
    const { steadyMs, wallMs } = now();
    return Math.max(steadyMs - this.from.steadyMs, wallMs - this.from.wallMs) >= this.ms;
  }
}
