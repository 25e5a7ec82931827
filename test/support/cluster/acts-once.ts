import type { Before } from '../../../simulator/control/site';

/** Somebody else who acts once, directly before the next request that looks like this. */
export class ActsOnce {
  private next: { line: RegExp; act: () => Promise<unknown> } | undefined;

  before(line: RegExp, act: () => Promise<unknown>): void {
    this.next = { line, act };
  }

  hasActed(): boolean {
    return this.next === undefined;
  }

  /** What a cluster asks before it answers a request. */
  readonly asked: Before = async ({ method, path }) => {
    if (!this.next?.line.test(`${method} ${path}`)) return;
    const { act } = this.next;
    this.next = undefined;
    await act();
  };
}
