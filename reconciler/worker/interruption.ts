import type { InterruptName } from '../client/messages';

/** The interrupts of one job. One that comes before anybody listens is kept. */
export class Interruption {
  /** Resolves with the first. */
  readonly came: Promise<void>;
  private tellFirst: () => void = () => undefined;
  private hasCome = false;
  private readonly given: InterruptName[] = [];
  private listener: ((name: InterruptName) => void) | undefined;

  constructor() {
    this.came = new Promise(resolve => (this.tellFirst = resolve));
  }

  give(name: InterruptName): void {
    this.hasCome = true;
    this.tellFirst();
    if (this.listener) this.listener(name);
    else this.given.push(name);
  }

  /** Nobody waits for the job any more: that is an interrupt, unless one came before. It is never a second one. */
  leave(): void {
    if (!this.hasCome) this.give('SIGTERM');
  }

  /** Calls this for each, until what comes back is called. */
  listen(listener: (name: InterruptName) => void): () => void {
    this.listener = listener;
    this.given.splice(0).forEach(listener);
    return () => (this.listener = undefined);
  }
}
