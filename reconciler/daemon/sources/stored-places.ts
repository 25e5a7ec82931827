import { messageOf } from '../../errors';

/** The versions of the places that are in PostgreSQL. */
export class StoredPlaces {
  private seen = new Map<string, number>();
  private read = new Map<string, number>();

  /** What tells whether the place was written since. One that is away tells that. */
  async line(place: string): Promise<string> {
    try {
      const { newestAt } = await import('../../postgres/store.js');
      const newest = await newestAt(place);
      this.seen.set(place, newest?.version ?? 0);
      return `${place} ${newest?.version} ${newest?.at}`;
    } catch (error) {
      this.seen.delete(place);
      return `${place} ${error instanceof Error ? error.name : messageOf(error)}`;
    }
  }

  /** What was seen last is what was read. */
  noteRead(): void {
    this.read = new Map(this.seen);
  }

  /** A place that has an older version now than was read before, in words. One that is empty says that itself. */
  wentBack(): string | undefined {
    for (const [place, now] of this.seen) {
      const before = this.read.get(place) ?? 0;
      if (now > 0 && now < before)
        return `${place}: its newest version is ${now}, and ${before} was read before: somebody has brought an older database back. The desired state that was read stays. Look at it (pve-reconciler get --history), put what you want, and start the daemon anew.`;
    }
    return undefined;
  }
}
