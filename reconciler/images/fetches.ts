/** Work that the machines of one process share while it goes on: who asks for the same meanwhile waits for it. */
export class Fetches {
  private readonly running = new Map<string, Promise<void>>();
  private readonly done = new Set<string>();

  /** Does the work, unless it goes on already, or `isEnough` and it was done before. Fails for all who wait for it. */
  once(key: string, isEnough: boolean, work: () => Promise<void>): Promise<void> {
    if (isEnough && this.done.has(key)) return Promise.resolve();
    const known = this.running.get(key);
    if (known) return known;
    const begun = work()
      .then(() => void this.done.add(key))
      .finally(() => this.running.delete(key));
    this.running.set(key, begun);
    return begun;
  }
}
