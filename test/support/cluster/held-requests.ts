import type { Before } from '../../../simulator/control/site';

interface Held {
  /** Resolves when the request has come. */
  met: Promise<void>;
  /** Lets it go on, also where it is still to come. */
  release: () => void;
}

/** Requests that wait before they are looked at, until a test lets them go on: what comes first is its choice. */
export class HeldRequests {
  private readonly waiting: { line: string; meet: () => Promise<void> }[] = [];

  /** To be given to the simulator. */
  readonly before: Before = async ({ method, path }) => {
    const index = this.waiting.findIndex(({ line }) => line === `${method} ${path}`);
    const [held] = index === -1 ? [] : this.waiting.splice(index, 1);
    await held?.meet();
  };

  /** Holds the next request of this line, such as `PUT /nodes/pve1/qemu/100/config`, and no later one. */
  next(line: string): Held {
    const { promise: met, resolve: meets } = withResolve();
    const { promise: released, resolve: release } = withResolve();
    const meet = (): Promise<void> => {
      meets();
      return released;
    };
    this.waiting.push({ line, meet });
    return { met, release };
  }
}

function withResolve(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>(done => (resolve = done));
  return { promise, resolve };
}
