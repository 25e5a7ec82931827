import { canonical, type MachineSpec } from '../../spec';
import type { SourcedState } from '../run/wanted';
import { keyOf } from './attempts';
import { MachineRecord } from './machine-record';

/** The machines of a cluster as they are wanted, each with what is remembered of it. */
export class Records {
  readonly byKey = new Map<string, MachineRecord>();
  private beside: string | undefined;

  /** `isBusy`: whether an older record's work on this machine, or its end, is still under way. */
  constructor(private readonly isBusy: (owner: string, id: string) => boolean) {}

  /**
   * Takes what is wanted now; `beside`: what else is, of all machines. Those that are wanted otherwise than before, and those that
   * failed, are due. True: all are to be looked at, because one has left, or what is beside them has changed.
   */
  want(states: readonly SourcedState[], beside: unknown): boolean {
    const isFirst = this.byKey.size === 0;
    const kept = new Set<string>();
    for (const state of states)
      for (const spec of state.machines) {
        const key = keyOf(state.owner, spec.id);
        kept.add(key);
        const record = this.byKey.get(key) ?? new MachineRecord(state.owner, spec);
        this.byKey.set(key, record);
        record.want(spec, ownOf(state, spec), isFirst);
      }
    const left = [...this.byKey.keys()].filter(key => !kept.has(key));
    for (const key of left) this.leave(key);
    const text = canonical([beside, states.map(({ owner, cluster, nodes }) => ({ owner, cluster, nodes }))]);
    const isOther = this.beside !== text;
    this.beside = text;
    return isOther || left.length > 0;
  }

  private leave(key: string): void {
    const record = this.byKey.get(key);
    // nobody asks for it any more: it has no turn
    if (record !== undefined) record.waitsIn = undefined;
    this.byKey.delete(key);
  }

  of(owner: string, id: string): MachineRecord | undefined {
    return this.byKey.get(keyOf(owner, id));
  }

  tryAgain(): void {
    for (const record of this.byKey.values()) record.tryAgain();
  }

  /** Whether one need not wait for the next round of all. */
  isAnyDue(now: number): boolean {
    return this.retryAt <= now;
  }

  /** When the next one is to be tried again. */
  get retryAt(): number {
    let first = Infinity;
    for (const record of this.byKey.values()) {
      const { retryAt = Infinity } = record;
      if (retryAt < first && !this.waits(record)) first = retryAt;
    }
    return first;
  }

  private waits({ owner, spec }: MachineRecord): boolean {
    return this.isBusy(owner, spec.id);
  }
}

/** What is said of one machine beside its spec. */
function ownOf(
  { snapshots = [], boundTo, sourceNames, cutFile }: SourcedState,
  { id }: MachineSpec,
): unknown {
  const own = snapshots.length === 0 ? [] : snapshots.filter(({ machine }) => machine === id);
  return [own, boundTo?.get(id), sourceNames?.get(id), cutFile];
}
