import type { WorldEvent } from '../events/event';

/** Whether a fault lets the work be done: not at all, or before the client notices anything. */
export type Work = 'done' | 'not-done';

/** What happens to a request that a fault meets. */
export type Effect =
  /** Answers this instead of doing the work. */
  | { kind: 'answer'; status: number; text: string; errors?: Record<string, string> }
  /** A proxy between the nodes gives up: 595, 596 or 599, an empty answer. */
  | { kind: 'gateway'; status: number; text: string; work: Work }
  /** The connection breaks. With the work done, the answer is lost. */
  | { kind: 'reset'; work: Work }
  /** Takes so much simulated time, before or after the work. */
  | { kind: 'slow'; ms: number; work: Work }
  /** Does the work, sends the first half of the answer, and breaks the connection. */
  | { kind: 'half' }
  /** The guest's lock file stays taken by somebody else until the request has given up. */
  | { kind: 'lock-timeout' }
  /** The token that was used is gone: 401, now and from now on. */
  | { kind: 'token-revoked' }
  /** Something else happens in the cluster just before the work is done. */
  | { kind: 'event'; event: WorldEvent };

/** A fault as data: which requests it meets, how often, and what it does to them. */
export interface Fault {
  /** HTTP methods; absent: all. */
  methods?: string[];
  /** The path below the format; `*` stands for one part, `**` for the rest. */
  path: string;
  /** user@realm or user@realm!token; absent: anybody. */
  user?: string;
  /** Lets so many of these requests through first. */
  after?: number;
  /** Meets so many of them, then is used up; absent: all. */
  count?: number;
  /** Between 0 and 1; absent: always. */
  probability?: number;
  effect: Effect;
}
