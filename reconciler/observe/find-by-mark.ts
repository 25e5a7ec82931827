import { markOf } from './guest-facts';
import type { Identity } from '../mark/identity';
import type { Mark } from '../mark/mark';
import type { ListedGuest, ObservedCluster } from '../observed';
import { isOwnerTag } from '../mark/owner-tag';
import type { Pve } from '../pve';
import { PveError, readConfig } from '../pve';

/** How many guests of others a run reads at most before it makes a machine. */
const MOST = 200;

/**
 * The marks of guests that carry no tag of ours and have an id of our range: a machine of ours that lost its tag and
 * was renamed is among them. Each guest is read once in a run, for all machines, and only before one is made.
 */
export class MarkIndex {
  private readonly marks = new Map<number, Promise<Mark | 'damaged' | undefined>>();

  constructor(
    private readonly pve: Pve,
    private readonly range: { from: number; to: number },
  ) {}

  /** The guests whose mark names this machine. To be read again before anything is decided on them. */
  async find(cluster: ObservedCluster, { owner, ids }: Identity): Promise<ListedGuest[]> {
    const listed = cluster.guests.filter(guest => this.isCandidate(guest)).slice(0, MOST);
    const marks = await Promise.all(listed.map(guest => this.markOf(guest)));
    return listed.filter((_, index) => {
      const mark = marks[index];
      return mark !== undefined && mark !== 'damaged' && mark.o === owner && ids.includes(mark.m);
    });
  }

  /** A guest that is being made shows its mark at the end; those of ours are waited for before. */
  private isCandidate({ type, vmid, tags, lock }: ListedGuest): boolean {
    const isInRange = vmid >= this.range.from && vmid <= this.range.to;
    return type === 'qemu' && isInRange && !tags.some(isOwnerTag) && lock !== 'create' && lock !== 'clone';
  }

  private markOf(guest: ListedGuest): Promise<Mark | 'damaged' | undefined> {
    const mark = this.marks.get(guest.vmid) ?? this.read(guest);
    this.marks.set(guest.vmid, mark);
    return mark;
  }

  private async read(guest: ListedGuest): Promise<Mark | 'damaged' | undefined> {
    try {
      return markOf(await readConfig(this.pve, guest));
    } catch (error) {
      // went or moved since it was listed, or not to be seen
      if (error instanceof PveError && (error.kind === 'not-found' || error.kind === 'denied'))
        return undefined;
      throw error;
    }
  }
}
