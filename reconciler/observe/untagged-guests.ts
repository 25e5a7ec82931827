import { markOf } from './guest';
import type { Identity } from '../mark/identity';
import type { Mark } from '../mark/mark';
import type { ListedGuest, ObservedCluster } from '../observed';
import { isOwnerTag } from '../mark/owner-tag';
import { readConfig, type Pve } from '../pve';
import { ifListed } from './if-allowed';

/** How many guests of others a run reads at most before it makes machines. */
const MOST = 200;
/** And how many of those that do not look like the machine. */
const MOST_UNLIKE = 20;

/**
 * The marks of guests that carry no tag of ours and have an id of our range: a machine of ours that lost its tag and
 * was renamed is among them. Each guest is read once in a run, for all machines, and only before one is made. Those
 * with as much memory as the machine's spec says come first (ADR 0009).
 */
export class UntaggedMarks {
  private readonly marks = new Map<number, Promise<Mark | undefined>>();

  constructor(
    private readonly pve: Pve,
    private readonly range: { from: number; to: number },
  ) {}

  /** The guests whose mark names this machine. To be read again before anything is decided on them. */
  async find(
    cluster: ObservedCluster,
    { owner, ids }: Identity,
    memory: number | undefined,
  ): Promise<ListedGuest[]> {
    const candidates = cluster.guests.filter(guest => this.isCandidate(guest));
    // the listing has no memory of who is younger than some seconds
    const isAlike = (guest: ListedGuest): boolean => [0, memory ?? guest.memory].includes(guest.memory);
    const unlike = candidates.filter(guest => !isAlike(guest)).slice(0, MOST_UNLIKE);
    const listed = [...candidates.filter(isAlike), ...unlike].filter(guest => this.mayRead(guest));
    const marks = await Promise.all(listed.map(({ vmid }) => this.marks.get(vmid)));
    return listed.filter((_, index) => {
      const mark = marks[index];
      return mark?.owner === owner && ids.includes(mark.machine);
    });
  }

  /** A guest that is being made shows its mark at the end; those of ours are waited for before. */
  private isCandidate({ type, vmid, tags, lock }: ListedGuest): boolean {
    const isInRange = vmid >= this.range.from && vmid <= this.range.to;
    return type === 'qemu' && isInRange && !tags.some(isOwnerTag) && lock !== 'create' && lock !== 'clone';
  }

  /** Begins to read it, unless that was done, or enough were read. */
  private mayRead(guest: ListedGuest): boolean {
    if (this.marks.has(guest.vmid)) return true;
    if (this.marks.size >= MOST) return false;
    this.marks.set(guest.vmid, this.read(guest));
    return true;
  }

  private async read(guest: ListedGuest): Promise<Mark | undefined> {
    const config = await ifListed(readConfig(this.pve, guest));
    return config && markOf(config);
  }
}
