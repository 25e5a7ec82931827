/**
 * Who works now, at most so many at once. Whoever has worked for longer than `longestMs` waits for something in
 * Proxmox: the next one begins then, so that a few locked guests never keep all others waiting.
 */
export class WorkLimit {
  private taken = 0;
  private readonly queue: (() => void)[] = [];

  constructor(
    private readonly size: number,
    private readonly longestMs: number,
  ) {}

  /** How many wait for their turn. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Resolves when the work has begun; what it comes to is in `ended`. */
  async begin<T>(work: () => Promise<T>): Promise<{ ended: Promise<T> }> {
    if (this.taken >= this.size) await new Promise<void>(resolve => this.queue.push(resolve));
    else this.taken += 1;
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      const next = this.queue.shift();
      if (next) next();
      else this.taken -= 1;
    };
    const timer = setTimeout(over, this.longestMs).unref();
    const ended = work().finally(() => {
      clearTimeout(timer);
      over();
    });
    return { ended };
  }
}
