import type { ObservedCluster } from './observed';

/** Chooses ids for new guests. What one machine of this process was given, another does not get. */
export class Vmids {
  private readonly given = new Set<number>();

  constructor(private readonly range: { from: number; to: number }) {}

  /** These are given by hand: they are never chosen. */
  keep(vmids: readonly number[]): void {
    vmids.forEach(vmid => this.given.add(vmid));
  }

  /**
   * The lowest free id; after two lost races a random one among the next free ones, so that many creators spread.
   * Undefined when the range is full.
   */
  choose(cluster: ObservedCluster, conflicts: number): number | undefined {
    const from = Math.max(this.range.from, cluster.nextId.lower);
    const to = Math.min(this.range.to, cluster.nextId.upper);
    const taken = new Set(cluster.guests.map(({ vmid }) => vmid));
    const skip = conflicts < 2 ? 0 : Math.floor(Math.random() * 10 * conflicts);
    const free: number[] = [];
    for (let vmid = from; vmid <= to && free.length <= skip; vmid += 1) {
      if (!taken.has(vmid) && !this.given.has(vmid)) free.push(vmid);
    }
    const chosen = free.at(-1);
    if (chosen !== undefined) this.given.add(chosen);
    return chosen;
  }
}
