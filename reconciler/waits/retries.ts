import { span } from './notice';

/** Tells what came between and is tried again: each cause once, and at the end how often it was tried again in all. */
export class Retries {
  private readonly causes = new Set<string>();
  private since = 0;
  private again = 0;

  constructor(private readonly tell: (text: string) => void) {}

  note(cause: string): void {
    if (this.again === 0) this.since = Date.now();
    this.again += 1;
    if (this.causes.has(cause)) return;
    this.causes.add(cause);
    this.tell(`${cause} It is tried again.`);
  }

  /** No more is tried: what was counted is told. */
  end(): void {
    if (this.again > this.causes.size)
      this.tell(`tried again ${this.again} times in ${span(Date.now() - this.since)}.`);
    this.causes.clear();
    this.again = 0;
  }
}
