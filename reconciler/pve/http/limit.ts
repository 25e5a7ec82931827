/**
 * Lets at most `size` pieces of work run at once; the rest wait in order. Of requests: http/client, so many as the cluster's
 * `limits` say (spec/fields/defaults); of clones: run/clone-limits.
 */
export class Limit {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(size: number) {
    this.free = size;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>(resolve => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
