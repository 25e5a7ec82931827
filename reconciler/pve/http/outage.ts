import { PveError } from '../answers/errors';
import { pause, pauseAfter, type Pauses } from './pauses';
import type { PveConfig } from './pve-config';
import { TransportError } from './transport';

/** Told once that a run waits for the endpoint, in words. Must not throw. */
type Tell = (text: string) => void;

/** Who is waited for, and how long for one answer. */
type Whom = Pick<PveConfig, 'endpoints' | 'requestTimeoutMs'>;

/** Whoever is told of a wait. Once none of them is left who was not interrupted, nobody waits any more. */
interface Listener {
  tell: Tell;
  signal: AbortSignal;
  /** The waits that it was told of since something answered, by their beginnings. */
  told: Set<number>;
}

/**
 * How long a refused connection is waited for. An update of its packages stops Proxmox's own server for some 12 s
 * (behaviour.md §16.5). Before anything has answered, the address itself may be wrong: that is told soon.
 */
const LONGEST_MS = 30_000;

/** A wait that is shorter is not worth a line. */
const TELL_AFTER_MS = 1_000;

/** A host that only works slowly answers sooner. */
const SILENT_AFTER_MS = 5_000;

const PAUSES: Pauses = { floorMs: 100, ceilingMs: 1_000, share: 0.3, jitter: 0.3 };

/**
 * Waits while every address of a cluster refuses connections: nothing was sent then, so that a request may come again.
 * Tells of a host that does not answer, too.
 */
export class Outage {
  private readonly listeners = new Set<Listener>();
  private since: number | undefined;
  private silentSince: number | undefined;
  private answeredAt = -Infinity;
  private isProven = false;

  constructor(private readonly config: Whom) {}

  /** Somebody has answered at the endpoint, or is known to have done: it is the right one. */
  readonly answered = (): void => {
    this.isProven = true;
    this.since = undefined;
    this.silentSince = undefined;
    this.answeredAt = performance.now();
    this.listeners.forEach(({ told }) => told.clear());
  };

  /** From now on this is told of each wait, until what comes back is called, or the signal ends it. */
  readonly listen = (tell: Tell, signal: AbortSignal): (() => void) => {
    const listener: Listener = { tell, signal, told: new Set() };
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
        if (waitedMs >= TELL_AFTER_MS) this.tell(refusedText(error, this.since), this.since);
        await pause(pauseAfter(waitedMs, PAUSES), signal);
      }
    }
  }

  /** Sends a request, and tells when neither it nor any other gets an answer for a while. */
  async telling<T>({ timeoutMs }: { timeoutMs?: number }, send: () => Promise<T>): Promise<T> {
    // a request with a time of its own, such as an upload, is known to be long
    if (timeoutMs !== undefined) return send();
    const began = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const look = (): void => {
      const since = Math.max(began, this.answeredAt);
      const leftMs = since + SILENT_AFTER_MS - performance.now();
      if (leftMs > 0) return void (timer = setTimeout(look, leftMs));
      if (this.since !== undefined) return;
      this.silentSince ??= since;
      this.tell(silentText(this.config, this.silentSince), this.silentSince);
    };
    look();
    return send().finally(() => clearTimeout(timer));
  }

  /** Whether this is what is waited for here. */
  isOne(error: unknown): error is PveError {
    return this.isProven && isRefused(error);
  }

  private isLeft(): boolean {
    return this.listeners.size > 0 && [...this.listeners].every(({ signal }) => signal.aborted);
  }

  private tell(text: string, since: number): void {
    for (const { told, tell } of this.listeners) {
      if (told.has(since)) continue;
      told.add(since);
      tell(text);
    }
  }
}

function refusedText(error: Error, since: number): string {
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  return `${waitsSince(since, LONGEST_MS)}: ${why}. Nothing was sent.`;
}

function silentText({ endpoints, requestTimeoutMs }: Whom, since: number): string {
  return `${waitsSince(since, requestTimeoutMs)}: ${endpoints.join(', ')} has not answered yet.`;
}

function waitsSince(since: number, mostMs: number): string {
  const began = new Date(Date.now() + since - performance.now()).toISOString();
  return `waits for Proxmox since ${began}, at most ${mostMs / 1000}s`;
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
