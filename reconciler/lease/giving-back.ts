import type { LogEntry } from '../report/log-line';
import type { Holding } from './holding';

/** A host that needs more must have been there for so long: one that starts and fails again and again gets nothing. */
const SURE_MS = 3_000;
/** So long nothing more is begun on a cluster that is to be given back. What then still lasts is not waited for. */
const HOLD_MS = 30_000;
/** Then so long all goes on. What was given back and nobody else took stays so long, too. */
const AGAIN_MS = 300_000;

/** Gives back what another host should keep, one cluster after the other, each when nothing is under way on it. */
export class GivingBack {
  private since: number | undefined;
  private held: { holding: Holding; until: number } | undefined;
  private readonly notBefore = new Map<string, number>();

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
    const { held } = this;
    if (held !== undefined && !surplus.includes(held.holding)) this.goOn(held.holding);
    else if (held !== undefined) return this.end(held.holding, now >= held.until);
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
    this.held = { holding: next, until: now + HOLD_MS };
    this.end(next, false);
  }

  /** Another host has it: it was wanted there. */
  taken(cluster: string): void {
    this.notBefore.delete(cluster);
  }

  private end(holding: Holding, isLate: boolean): void {
    const { cluster, atWork } = holding;
    if (atWork?.isIdle()) {
      this.tell('info', 'Gives the cluster to another host', { cluster });
      holding.giveBack();
      this.held = undefined;
      this.since = undefined;
    } else if (isLate) this.goOn(holding);
    if (this.held === undefined) this.notBefore.set(cluster, performance.now() + AGAIN_MS);
  }

  private goOn({ atWork }: Holding): void {
    atWork?.hold(false);
    this.held = undefined;
  }
}
