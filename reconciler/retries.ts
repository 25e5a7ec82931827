import { span } from './notice';

interface Count {
  since: number;
  again: number;
}

/** Tells what came between and is tried again: the first time at once, at the end how often it was. */
export class Retries {
  private readonly counts = new Map<string, Count>();

  constructor(private readonly tell: (text: string) => void) {}

  note(cause: string): void {
    const known = this.counts.get(cause);
    if (known) known.again += 1;
    else {
      this.counts.set(cause, { since: Date.now(), again: 0 });
      this.tell(`${cause} It is tried again.`);
    }
  }

  /** No more is tried: what was counted is told. */
  end(): void {
    for (const [cause, { since, again }] of this.counts) {
      if (again > 0) this.tell(`${cause} Again ${again} times in ${span(Date.now() - since)}.`);
    }
    this.counts.clear();
  }
}
