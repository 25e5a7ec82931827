import { markOf } from './guest';
import type { Identity } from '../mark/identity';
import type { Mark } from '../mark/mark';
import { isDown, type ListedGuest, type ObservedCluster } from '../observed';
import { isOwnerTag } from '../mark/owner-tag';
import { readConfig, type Pve } from '../pve';
import { ifListed, ifSeen } from './if-allowed';

/** How many guests of others a run reads at most before it makes machines: so many without a tag of ours, and as many with one. */
const MOST = 200;
/** And how many of each that do not look like the machine. */
const MOST_UNLIKE = 20;

/**
 * The marks of guests that carry no tag of ours and have an id of our range: a machine of ours that lost its tag and
 * was renamed is among them. So is one with a tag that no machine which is wanted explains: PVE brings back the tag of an id
 * that it had before, in a rollback. Each guest is read once in a run, for all machines, and only before one is made. Those
 * with as much memory as the machine's spec says come first (ADR 0009).
 */
export class UntaggedMarks {
  private readonly marks = new Map<number, Promise<Mark | undefined>>();
  private known: { tags: ReadonlySet<string> | undefined } | undefined;
  private readonly begun = { tagged: 0, untagged: 0 };
  private explained: { of: readonly ListedGuest[]; by: (guest: ListedGuest) => boolean } | undefined;

  /** `wantedTags`: those of all machines that are wanted. Undefined: they are not known, and each tag may be that of one. */
  constructor(
    private readonly pve: Pve,
    private readonly range: { from: number; to: number },
    private readonly wantedTags: () => ReadonlySet<string> | undefined,
  ) {}

  /** The guests whose mark names this machine. To be read again before anything is decided on them. */
  async find(
    cluster: ObservedCluster,
    { owner, ids }: Identity,
    memory: number | undefined,
  ): Promise<ListedGuest[]> {
    const isExplained = this.explainedIn(cluster.guests);
    const candidates = cluster.guests.filter(guest => this.isCandidate(guest) && !isExplained(guest));
    // the listing has no memory of who is younger than some seconds
    const isAlike = (guest: ListedGuest): boolean => [0, memory ?? guest.memory].includes(guest.memory);
    const likeliest = (guests: ListedGuest[]): ListedGuest[] => [
      ...guests.filter(isAlike),
      ...guests.filter(guest => !isAlike(guest)).slice(0, MOST_UNLIKE),
    ];
    const isAway = (guest: ListedGuest): boolean => this.mayBeOthers(guest) && isDown(cluster, guest.node);
    const untagged = this.read(likeliest(candidates.filter(guest => !isTagged(guest))));
    const tagged = this.read(likeliest(candidates.filter(guest => isTagged(guest) && !isAway(guest))));
    const listed = [...untagged, ...tagged];
    const marks = await Promise.all(listed.map(({ vmid }) => this.marks.get(vmid)));
    return listed.filter((_, index) => {
      const mark = marks[index];
      return mark?.owner === owner && ids.includes(mark.machine);
    });
  }

  /** A guest that is being made shows its mark at the end; those of ours are waited for before. */
  private isCandidate({ type, vmid, lock }: ListedGuest): boolean {
    const isInRange = vmid >= this.range.from && vmid <= this.range.to;
    return type === 'qemu' && isInRange && lock !== 'create' && lock !== 'clone';
  }

  /** Whether the tag of a guest tells what it is: it is that of one machine which is wanted, and no other guest has it. */
  private explainedIn(guests: readonly ListedGuest[]): (guest: ListedGuest) => boolean {
    // thousands of machines are looked for in the same listing
    if (this.explained?.of === guests) return this.explained.by;
    const counts = new Map<string, number>();
    for (const tag of guests.flatMap(({ tags }) => tags.filter(isOwnerTag)))
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    const { wanted } = this;
    const isOfOne = (tag: string): boolean =>
      isOwnerTag(tag) && (wanted === undefined || (wanted.has(tag) && counts.get(tag) === 1));
    const by = ({ tags }: ListedGuest): boolean => tags.some(isOfOne);
    this.explained = { of: guests, by };
    return by;
  }

  /** Begins to read those that were not, until enough of their kind were. Those that are read. */
  private read(guests: readonly ListedGuest[]): ListedGuest[] {
    return guests.filter(guest => {
      if (this.marks.has(guest.vmid)) return true;
      const kind = isTagged(guest) ? 'tagged' : 'untagged';
      if (this.begun[kind] >= MOST) return false;
      this.begun[kind] += 1;
      this.marks.set(guest.vmid, this.markOf(guest));
      return true;
    });
  }

  private async markOf(guest: ListedGuest): Promise<Mark | undefined> {
    const reading = readConfig(this.pve, guest);
    const config = await (this.mayBeOthers(guest) ? ifSeen(reading) : ifListed(reading));
    return config && markOf(config);
  }

  /** Made once: each is a sum, and they are asked for with each guest. */
  private get wanted(): ReadonlySet<string> | undefined {
    this.known ??= { tags: this.wantedTags() };
    return this.known.tags;
  }

  /** With a tag of no machine that is wanted: nearly all are machines of others, and one that cannot be read holds up no create. */
  private mayBeOthers(guest: ListedGuest): boolean {
    const { wanted } = this;
    return isTagged(guest) && !guest.tags.some(tag => wanted?.has(tag));
  }
}

function isTagged({ tags }: ListedGuest): boolean {
  return tags.some(isOwnerTag);
}
