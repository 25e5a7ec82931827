/** One run's turn. It lasts until `end` is called. */
export interface Turn {
  /** Resolves once all that was begun before has ended; undefined where nothing was. */
  before: Promise<unknown> | undefined;
  end: () => void;
}

/**
 * Lets the runs of one machine in one worker follow each other: one that its client has left may not have ended yet. Between
 * two processes nothing of ours is locked: life/claim/rivals where a guest is made, observe/same-guest before a write to one.
 */
export class RunsInTurn {
  private readonly ends = new Map<string, Promise<unknown>>();

  take(name: string): Turn {
    const before = this.ends.get(name);
    let end = (): void => undefined;
    const mine = new Promise<void>(resolve => (end = resolve));
    const both = Promise.all([before, mine]);
    this.ends.set(name, both);
    void both.then(() => {
      if (this.ends.get(name) === both) this.ends.delete(name);
    });
    return { before, end };
  }
}
