import { PveError, TaskError, type PveErrorKind } from './errors';

/** What is done about a failure: by its kind, and by what was asked. */
interface Decisions {
  /** An action on a machine. `end`: the run of this machine ends. */
  change: 'read' | 'seek' | 'other-id' | 'wait' | 'wait-for-lock' | 'find-out' | 'end';
  /** The destroy of a guest that left. `again`: once what is there was read again. */
  destroy: 'again' | 'end';
  /** The write of a mark alone, with what was read directly before. */
  mark: 'again' | 'end';
  /** One look of many at what goes on, such as a task. */
  look: 'again' | 'end';
  /** One of many that are read: a guest, a node, a storage. `without`: the others are told without it. */
  one: 'without' | 'end';
  /** The look at a guest that may be another run's try at the same machine (ADR 0012). */
  rival: 'overlook' | 'end';
  /** The daemon's next try of a machine. `person`: only a new spec or new credentials help. */
  round: 'soon' | 'person';
}

/** What is done where a kind says nothing else. */
const USUAL = {
  change: 'end',
  destroy: 'end',
  mark: 'end',
  look: 'again',
  one: 'without',
  rival: 'end',
} as const;

/** The one place where this is decided; docs/errors.md shows it to people, and a test compares the two. */
export const FAILURES: Record<PveErrorKind, Decisions> = {
  // it passes
  unreachable: { ...USUAL, change: 'wait', destroy: 'again', rival: 'overlook', round: 'soon' },
  'no-quorum': { ...USUAL, change: 'wait', destroy: 'again', round: 'soon' },
  locked: { ...USUAL, change: 'wait-for-lock', destroy: 'again', mark: 'again', round: 'soon' },
  // nobody knows what was done: what is there tells
  'unknown-outcome': { ...USUAL, change: 'find-out', destroy: 'again', mark: 'again', round: 'soon' },
  // somebody was faster: read again, our values win
  changed: { ...USUAL, change: 'read', destroy: 'again', mark: 'again', round: 'soon' },
  // moved to another node, or gone; or what is named in the spec is not there, which no reading mends
  'not-found': { ...USUAL, change: 'seek', destroy: 'again', rival: 'overlook', round: 'soon' },
  'already-exists': { ...USUAL, change: 'other-id', round: 'soon' },
  // Proxmox says no
  failed: { ...USUAL, round: 'soon' },
  unreadable: { ...USUAL, look: 'end', round: 'soon' },
  denied: { ...USUAL, rival: 'overlook', round: 'person' },
  invalid: { ...USUAL, round: 'person' },
  'not-implemented': { ...USUAL, round: 'person' },
  // nothing else that is asked will be answered either
  untrusted: { ...USUAL, one: 'end', round: 'person' },
  unauthenticated: { ...USUAL, look: 'end', one: 'end', round: 'person' },
};

/** A request that Proxmox did not do, or a task that did not end well. */
export function isFailure(error: unknown): error is PveError | TaskError {
  return error instanceof PveError || error instanceof TaskError;
}

/** What to do about an error. Undefined: it is no failure of Proxmox, and none of this helps. */
export function onFailure<Of extends keyof Decisions>(error: unknown, of: Of): Decisions[Of] | undefined {
  return isFailure(error) ? FAILURES[error.kind][of] : undefined;
}

/** Whether the others that are read can be told without the one that failed. */
export function isOneLess(error: unknown): error is PveError {
  return error instanceof PveError && FAILURES[error.kind].one === 'without';
}
