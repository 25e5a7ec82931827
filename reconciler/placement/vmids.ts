import { createHash } from 'node:crypto';
import type { ObservedCluster } from '../observed';
import { TakenIds } from './taken-ids';

/** What says that others are choosing ids at this very moment. */
export interface Rivalry {
  /** Guests that others are making. */
  creates: number;
  /** Ids that this machine has lost to others. */
  conflicts: number;
}

/** Which machine an id is for, and the one that an earlier plan chose for it. */
interface Asker {
  owner: string;
  id: string;
  hint?: number | undefined;
  /** A template takes the highest free id. */
  isTemplate?: boolean | undefined;
}

type Newcomer = Readonly<{ id: string; vmid?: number | undefined; asTemplate?: boolean | undefined }>;

/** Chooses ids for new guests. What one machine of this run was given, another does not get; nor one of another run. */
export class Vmids {
  private readonly given = new Set<number>();
  /** What was set aside for the machines that are new together. */
  private aside: ReadonlyMap<string, number> | undefined;

  /**
   * `newcomers`: the machines of this run that are not there yet, in their order. `taken`: what the runs of one
   * process have chosen.
   */
  constructor(
    private readonly range: { from: number; to: number },
    private readonly newcomers: () => readonly Newcomer[] = () => [],
    private readonly taken = new TakenIds(),
  ) {}

  /** To be called when the run ends. */
  release(): void {
    this.taken.release(this);
  }

  /** These are given by hand: they are never chosen. */
  keep(vmids: readonly number[]): void {
    vmids.forEach(vmid => this.given.add(vmid));
  }

  /**
   * The id that a plan chose, while it is free. Else, for whoever is alone, the lowest free one, in the order of the
   * machines that are new together. Beside others it is one of the next free ones, so that many creators spread at
   * once: which one follows from the machine, so that two runs of one machine meet. Undefined when the range is full.
   */
  choose(cluster: ObservedCluster, rivalry: Rivalry, asker: Asker): number | undefined {
    const others = { ...rivalry, creates: rivalry.creates + this.beingMade(cluster) };
    const chosen = this.known(cluster, others, asker) ?? this.next(cluster, others, asker);
    if (chosen === undefined) return undefined;
    this.given.add(chosen);
    this.taken.take(chosen, { run: this, machine: nameOf(asker) });
    return chosen;
  }

  /** The id that is this machine's own, while nobody has it. One that was lost to others is nobody's to take again. */
  private known(cluster: ObservedCluster, { creates, conflicts }: Rivalry, asker: Asker): number | undefined {
    if (conflicts > 0) return undefined;
    const { id, hint } = asker;
    const isOpen = (vmid: number): boolean =>
      this.isFree(vmid, cluster) && !this.taken.isOfAnother(vmid, nameOf(asker));
    if (hint !== undefined && !this.given.has(hint) && isOpen(hint)) return hint;
    if (creates > 0) return undefined;
    const own = this.setAside(cluster).get(id);
    return own !== undefined && isOpen(own) ? own : undefined;
  }

  private next(cluster: ObservedCluster, rivalry: Rivalry, asker: Asker): number | undefined {
    const isOfAnother = (vmid: number): boolean => this.taken.isOfAnother(vmid, nameOf(asker));
    const count = 1 + pick(asker, rivalry, widthFor(rivalry));
    return this.open(cluster, count, asker.isTemplate === true, isOfAnother).at(-1);
  }

  private setAside(cluster: ObservedCluster): ReadonlyMap<string, number> {
    if (this.aside) return this.aside;
    const aside = new Map<string, number>();
    for (const isTemplate of [false, true]) {
      const asking = this.newcomers().filter(
        ({ vmid, asTemplate = false }) => vmid === undefined && asTemplate === isTemplate,
      );
      this.open(cluster, asking.length, isTemplate).forEach((vmid, index) => {
        this.given.add(vmid);
        aside.set(asking[index]?.id ?? '', vmid);
      });
    }
    this.aside = aside;
    return aside;
  }

  /** So many of the lowest ids, or the highest, that are free and not given out, or as many as there are. */
  private open(
    cluster: ObservedCluster,
    count: number,
    isHighest = false,
    isTaken: (vmid: number) => boolean = () => false,
  ): number[] {
    const { from, to } = this.bounds(cluster);
    const taken = new Set(cluster.guests.map(({ vmid }) => vmid));
    const free: number[] = [];
    for (let step = 0; step <= to - from && free.length < count; step += 1) {
      const vmid = isHighest ? to - step : from + step;
      if (!taken.has(vmid) && !this.given.has(vmid) && !isTaken(vmid)) free.push(vmid);
    }
    return free;
  }

  private isFree(vmid: number, cluster: ObservedCluster): boolean {
    const { from, to } = this.bounds(cluster);
    return vmid >= from && vmid <= to && !cluster.guests.some(guest => guest.vmid === vmid);
  }

  private bounds({ nextId }: ObservedCluster): { from: number; to: number } {
    return { from: Math.max(this.range.from, nextId.lower), to: Math.min(this.range.to, nextId.upper) };
  }

  /** The guests in the listing that are being made, without those that were given out here. */
  private beingMade({ guests }: ObservedCluster): number {
    return guests.filter(({ vmid, lock }) => (lock === 'create' || lock === 'clone') && !this.given.has(vmid))
      .length;
  }
}

const nameOf = ({ owner, id }: Asker): string => `${owner}/${id}`;

/** Below `width`: the same for each run of one machine, and as good as chance for different ones. */
function pick({ owner, id }: Asker, { conflicts }: Rivalry, width: number): number {
  return createHash('sha256').update(`${owner}/${id}/${conflicts}`).digest().readUInt32BE() % width;
}

/** Wide enough that two seldom meet; doubled with each loss, for guests that the caller may not see. */
function widthFor({ creates, conflicts }: Rivalry): number {
  if (creates === 0 && conflicts === 0) return 1;
  return 4 * (creates + 1) + (conflicts === 0 ? 0 : 8 * 2 ** Math.min(conflicts, 16));
}
