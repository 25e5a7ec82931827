import { PveError } from '../answers/errors';
import { pause, pauseAfter, type Pauses } from './pauses';
import { TransportError } from './transport';

/** Told once that a run waits for the endpoint, in words. Must not throw. */
type Tell = (text: string) => void;

/** Whoever is told of a wait. Once none of them is left who was not interrupted, nobody waits any more. */
interface Listener {
  tell: Tell;
  signal: AbortSignal;
  /** The wait that it was told of last, by its beginning. */
  toldOf?: number;
}

/**
 * How long a refused connection is waited for. An update of its packages stops Proxmox's own server for some 12 s
 * (behaviour.md §16.5). Before anything has answered, the address itself may be wrong: that is told soon.
 */
const LONGEST_MS = 30_000;

/** A wait that is shorter is not worth a line. */
const TELL_AFTER_MS = 1_000;

const PAUSES: Pauses = { floorMs: 100, ceilingMs: 1_000, share: 0.3, jitter: 0.3 };

/** Waits while every address of a cluster refuses connections: nothing was sent then, so that a request may come again. */
export class Outage {
  private readonly listeners = new Set<Listener>();
  private since: number | undefined;
  private isProven = false;

  /** Somebody has answered at the endpoint, or is known to have done: it is the right one. */
  readonly answered = (): void => {
    this.isProven = true;
    this.since = undefined;
  };

  /** From now on this is told of each wait, until what comes back is called, or the signal ends it. */
  readonly listen = (tell: Tell, signal: AbortSignal): (() => void) => {
    const listener: Listener = { tell, signal };
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Sends a request until it is not refused any more, or the time is up. An interrupt ends it. */
  async through<T>(send: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (!this.isOne(error)) throw error;
        this.since ??= performance.now();
        const waitedMs = performance.now() - this.since;
        if (waitedMs >= LONGEST_MS || this.isLeft()) throw error;
        if (waitedMs >= TELL_AFTER_MS) this.tell(error, this.since);
        await pause(pauseAfter(waitedMs, PAUSES), signal);
      }
    }
  }

  /** Whether this is what is waited for here. */
  isOne(error: unknown): error is PveError {
    return this.isProven && isRefused(error);
  }

  private isLeft(): boolean {
    return this.listeners.size > 0 && [...this.listeners].every(({ signal }) => signal.aborted);
  }

  private tell(error: Error, since: number): void {
    for (const listener of this.listeners) {
      if (listener.toldOf === since) continue;
      listener.toldOf = since;
      listener.tell(waitText(error, since));
    }
  }
}

function waitText(error: Error, since: number): string {
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  const began = new Date(Date.now() + since - performance.now()).toISOString();
  return `waits for Proxmox since ${began}, at most ${LONGEST_MS / 1000}s: ${why}. Nothing was sent.`;
}

/** Whether all addresses refused the connection, so that the request cannot have arrived. */
function isRefused(error: unknown): error is PveError {
  if (!(error instanceof PveError) || error.kind !== 'unreachable') return false;
  return error.cause instanceof TransportError && error.cause.isRefused;
}

/** Whether this write was not sent, as all addresses refused the connection. */
export function isUnsent(error: unknown): boolean {
  return isRefused(error) && error.facts.method !== 'GET';
}

/** An endpoint that reads again and again, and takes no write, is given up. */
const MOST_LOOKS = 5;

/**
 * Reads, and then writes what Proxmox compares with no reading. Where that write was not sent, all of it begins anew: the
 * reading waits for the endpoint, and tells whether the write is still to be.
 */
export async function lookingAgain<T>(readAndWrite: () => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    try {
      return await readAndWrite();
    } catch (error) {
      if (!isUnsent(error) || looks >= MOST_LOOKS) throw error;
    }
  }
}
