import type { Simulator } from '../../../simulator';
import { danglingNames, sharedVolumes, standing, type Item, type Standing } from './standing';

/** Sees what goes while a front end is at work, and tells it from what somebody else does meanwhile. Begins the ledger anew. */
export class Watch {
  private before: Standing;
  private shared: Map<string, string>;
  private readonly lost: Item[] = [];
  private readonly seen = new Map<string, Item>();
  private readonly others = new Set<string>();

  constructor(private readonly simulator: Simulator) {
    simulator.ledger.reset();
    this.before = standing(this.world);
    this.shared = this.sharedNow();
    this.remember();
  }

  /** Somebody else is at work: what goes now is not the front end's. */
  async outside(act: () => Promise<unknown>): Promise<void> {
    this.collect();
    const keys = [...this.before.values()].map(({ key }) => key);
    await act();
    this.before = standing(this.world);
    for (const [file, users] of this.sharedNow()) this.shared.set(file, users);
    const left = new Set([...this.before.values()].map(({ key }) => key));
    for (const key of keys) if (!left.has(key)) this.others.add(key);
    this.remember();
  }

  /** What was seen until now. */
  seenUntilNow() {
    this.collect();
    const { lost: gone, seen: stood, others: takenByOthers } = this;
    const now = [...sharedVolumes(this.world)].filter(([file]) => !this.shared.has(file));
    const shared = now.map(([file, users]) => `volume ${file} is used by ${users} now`);
    return { gone: this.withoutMoved(gone), stood, takenByOthers, shared };
  }

  /** With the names that have no volume yet: that somebody else gets them is no fault of a run. */
  private sharedNow(): Map<string, string> {
    const dangling = danglingNames(this.world).map((file): [string, string] => [file, 'nobody']);
    return new Map([...sharedVolumes(this.world), ...dangling]);
  }

  private get world() {
    return this.simulator.sim.world;
  }

  private collect(): void {
    const now = standing(this.world);
    for (const [thing, item] of this.before) if (!now.has(thing)) this.lost.push(item);
    this.before = now;
  }

  private remember(): void {
    for (const item of this.before.values()) this.seen.set(item.key, item);
  }

  /** A disk that moved to another storage is lost nowhere: its source goes, and its guest stands on. */
  private withoutMoved(gone: readonly Item[]): Item[] {
    const moves = this.simulator.ledger
      .entries()
      .flatMap(({ method, path }) =>
        method === 'POST' ? (/\/qemu\/(\d+)\/move_disk$/.exec(path)?.[1] ?? []) : [],
      );
    return gone.filter(({ vmid, isDisk }) => {
      const move = isDisk && this.world.guests[vmid ?? 0] ? moves.indexOf(String(vmid)) : -1;
      if (move >= 0) moves.splice(move, 1);
      return move < 0;
    });
  }
}
