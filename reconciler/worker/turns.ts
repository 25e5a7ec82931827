/** Lets the runs of one machine follow each other: one that its client has left may not have ended yet. */
export class Turns {
  private readonly ends = new Map<string, Promise<unknown>>();

  /** Works once all that was begun under this name before has ended, or as soon as `noTurn` is there. */
  async take(name: string, noTurn: Promise<void>, work: () => Promise<void>): Promise<void> {
    const before = this.ends.get(name) ?? Promise.resolve();
    const mine = Promise.race([before, noTurn]).then(work);
    const end = Promise.allSettled([before, mine]);
    this.ends.set(name, end);
    void end.then(() => {
      if (this.ends.get(name) === end) this.ends.delete(name);
    });
    await mine;
  }
}
