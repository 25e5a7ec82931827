import type { LogEntry } from '../report/log-line';
import type { Holding } from './holding';

/** A host that needs more must have been there for so long: one that fails at its start gets nothing. */
const SURE_MS = 3_000;
/** So long nothing more is begun on a cluster that is to be given back. What then still lasts is not waited for. */
const HOLD_MS = 30_000;
/** Then so long all goes on. */
const AGAIN_MS = 300_000;
/** What was given back so often within that time, and came back, stays so long: the other host fails again and again. */
const MOST_GIVEN = 3;

/** Gives back what another host should keep, one cluster after the other, each when nothing is under way on it. */
export class GivingBack {
  private since: number | undefined;
  private onHold: { holding: Holding; until: number } | undefined;
  private readonly notBefore = new Map<string, number>();
  private readonly given = new Map<string, number[]>();

  constructor(
    private readonly tell: (
      level: LogEntry['level'],
      message: string,
      fields: Record<string, string>,
    ) => void,
  ) {}

  /** To be called again and again with those that another host should keep now. */
  look(surplus: readonly Holding[]): void {
    const now = performance.now();
    const { onHold } = this;
    if (onHold !== undefined && !surplus.includes(onHold.holding)) this.goOn(onHold.holding);
    else if (onHold !== undefined) return this.end(onHold.holding, now >= onHold.until);
    if (surplus.length === 0) this.since = undefined;
    else this.since ??= now;
    if (this.since === undefined || now - this.since < SURE_MS) return;
    const { notBefore } = this;
    const able = surplus.filter(
      ({ atWork, cluster }) => atWork !== undefined && now >= (notBefore.get(cluster) ?? 0),
    );
    // those on which nothing is under way go first
    const next = able.find(({ atWork }) => atWork?.isIdle()) ?? able[0];
    if (next === undefined) return;
    next.atWork?.hold(true);
    this.onHold = { holding: next, until: now + HOLD_MS };
    this.end(next, false);
  }

  private end(holding: Holding, isLate: boolean): void {
    const { cluster, atWork } = holding;
    if (atWork?.isIdle()) {
      this.tell('info', 'Gives the cluster to another host', { cluster });
      holding.giveBack();
      this.onHold = undefined;
      this.since = undefined;
      if (this.isOften(cluster)) this.keep(cluster);
    } else if (isLate) {
      this.goOn(holding);
      this.keep(cluster);
    }
  }

  private isOften(cluster: string): boolean {
    const now = performance.now();
    const given = [...(this.given.get(cluster) ?? []).filter(at => now - at < AGAIN_MS), now];
    this.given.set(cluster, given);
    return given.length >= MOST_GIVEN;
  }

  private keep(cluster: string): void {
    this.notBefore.set(cluster, performance.now() + AGAIN_MS);
  }

  private goOn({ atWork }: Holding): void {
    atWork?.hold(false);
    this.onHold = undefined;
  }
}
