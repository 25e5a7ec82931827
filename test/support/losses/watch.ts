import type { Simulator } from '../../../simulator';
import { standing, type Item, type Standing } from './standing';

/** Sees what goes while a front end is at work, and tells it from what somebody else takes meanwhile. */
export class Watch {
  private before: Standing;
  private readonly lost: Item[] = [];
  private readonly seen = new Map<string, Item>();

  constructor(private readonly simulator: Simulator) {
    this.before = standing(simulator.sim.world);
    this.remember();
  }

  /** Somebody else is at work: what goes now is not the front end's. */
  async outside(act: () => Promise<unknown>): Promise<void> {
    this.collect();
    await act();
    this.before = standing(this.simulator.sim.world);
    this.remember();
  }

  /** What the front end has taken until now. */
  gone(): Item[] {
    this.collect();
    return this.lost;
  }

  /** Whatever stood at some time, by its key. */
  stood(): ReadonlyMap<string, Item> {
    return this.seen;
  }

  private collect(): void {
    const now = standing(this.simulator.sim.world);
    for (const [thing, item] of this.before) if (!now.has(thing)) this.lost.push(item);
    this.before = now;
  }

  private remember(): void {
    for (const item of this.before.values()) this.seen.set(item.key, item);
  }
}
