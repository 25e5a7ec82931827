import type { ObservedCluster } from './observed';

/** What says that others are choosing ids at this very moment. */
export interface Rivalry {
  /** Guests that others are making. */
  births: number;
  /** Ids that this machine has lost to others. */
  conflicts: number;
}

/** Chooses ids for new guests. What one machine of this process was given, another does not get. */
export class Vmids {
  private readonly given = new Set<number>();

  constructor(private readonly range: { from: number; to: number }) {}

  /** These are given by hand: they are never chosen. */
  keep(vmids: readonly number[]): void {
    vmids.forEach(vmid => this.given.add(vmid));
  }

  /**
   * The lowest free id for whoever is alone. Beside others it is one of the next free ones, by chance, so that many
   * creators spread at once. Undefined when the range is full.
   */
  choose(cluster: ObservedCluster, { births, conflicts }: Rivalry): number | undefined {
    const from = Math.max(this.range.from, cluster.nextId.lower);
    const to = Math.min(this.range.to, cluster.nextId.upper);
    const taken = new Set(cluster.guests.map(({ vmid }) => vmid));
    const others = births + this.beingMade(cluster);
    const among = Math.ceil(Math.random() * widthFor({ births: others, conflicts }));
    const free: number[] = [];
    for (let vmid = from; vmid <= to && free.length < Math.max(1, among); vmid += 1) {
      if (!taken.has(vmid) && !this.given.has(vmid)) free.push(vmid);
    }
    const chosen = free.at(-1);
    if (chosen !== undefined) this.given.add(chosen);
    return chosen;
  }

  /** The guests in the listing that are being made, without those that were given out here. */
  private beingMade({ guests }: ObservedCluster): number {
    return guests.filter(({ vmid, lock }) => (lock === 'create' || lock === 'clone') && !this.given.has(vmid))
      .length;
  }
}

/** Wide enough that two seldom meet; doubled with each loss, for guests that the caller may not see. */
function widthFor({ births, conflicts }: Rivalry): number {
  if (births === 0 && conflicts === 0) return 1;
  return 4 * (births + 1) + (conflicts === 0 ? 0 : 8 * 2 ** Math.min(conflicts, 16));
}
