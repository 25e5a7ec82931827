/** Work that the machines of one process share while it goes on: who asks for the same meanwhile waits for it. */
export class Fetches {
  private readonly running = new Map<string, Promise<void>>();
  private readonly done = new Set<string>();

  /** Does the work, unless it goes on already, or it was done before and still holds. Fails for all who wait for it. */
  once(key: string, stillHolds: () => Promise<boolean>, work: () => Promise<void>): Promise<void> {
    const known = this.running.get(key);
    if (known) return known;
    const begun = this.unlessDone(key, stillHolds, work).finally(() => this.running.delete(key));
    this.running.set(key, begun);
    return begun;
  }

  private async unlessDone(key: string, stillHolds: () => Promise<boolean>, work: () => Promise<void>) {
    if (this.done.has(key) && (await stillHolds())) return;
    await work();
    this.done.add(key);
  }
}
