/** What is done about a failure: by its kind, and by what was asked. */
export interface Decisions {
  /** An action on a machine (life/after-failure.ts). `end-unless-done`: its run ends, but for a write that had its effect all the same. */
  change: 'read' | 'seek' | 'other-id' | 'wait' | 'wait-for-lock' | 'find-out' | 'end-unless-done';
  /** The destroy of a guest that left. `again`: once what is there was read again. */
  destroy: 'again' | 'end';
  /** The write of a mark alone, with what was read directly before. */
  mark: 'again' | 'end';
  /** One look of many at what goes on, such as a task. */
  look: 'again' | 'end';
  /** One of many that are read: a guest, a node, a storage. `without`: the others are reported without it. */
  one: 'without' | 'end';
  /** The look at a guest that may be another run's try at the same machine (ADR 0012). */
  rival: 'overlook' | 'end';
  /** The daemon's next try of a machine. `person`: only a new spec or new credentials help. */
  round: 'soon' | 'person';
}

/** What is done where a kind says nothing else. */
const USUAL = {
  change: 'end-unless-done',
  destroy: 'end',
  mark: 'end',
  look: 'again',
  one: 'without',
  rival: 'end',
} as const;

interface FailureKind extends Decisions {
  /** What the reader should do, and whether running again is safe. */
  advice: string;
}

/** The one place where a kind is decided on; docs/errors.md shows it to people, and a test compares the two. */
const TABLE = {
  // it passes
  unreachable: {
    advice: 'Check the endpoint, the network and that the node is up. Running again is safe.',
    ...USUAL,
    change: 'wait',
    destroy: 'again',
    rival: 'overlook',
    round: 'soon',
  },
  'no-quorum': {
    advice: 'The cluster has lost its quorum, nothing is written. Bring the nodes back, then run again.',
    ...USUAL,
    change: 'wait',
    destroy: 'again',
    round: 'soon',
  },
  locked: {
    advice: 'Another operation holds the lock. Run again when it has ended; it is safe.',
    ...USUAL,
    change: 'wait-for-lock',
    destroy: 'again',
    mark: 'again',
    round: 'soon',
  },
  // nobody knows what was done: what is there tells
  'unknown-outcome': {
    advice: 'The answer was lost, Proxmox may have done it. Run again: what is there is read first.',
    ...USUAL,
    change: 'find-out',
    destroy: 'again',
    mark: 'again',
    round: 'soon',
  },
  // somebody was faster: read again, our values win
  changed: {
    advice: 'Somebody changed it at the same time. Run again: it is read anew.',
    ...USUAL,
    change: 'read',
    destroy: 'again',
    mark: 'again',
    round: 'soon',
  },
  // moved to another node, or gone; or what is named in the spec is not there, which no reading mends
  'not-found': {
    advice: 'It may have been removed or moved. Run again: the cluster is read anew.',
    ...USUAL,
    change: 'seek',
    destroy: 'again',
    rival: 'overlook',
    round: 'soon',
  },
  'already-exists': {
    advice: 'Something else took that id or name. Run again: another is chosen where it may be.',
    ...USUAL,
    change: 'other-id',
    round: 'soon',
  },
  // Proxmox says no
  failed: {
    advice: 'Proxmox says why. Running again is safe.',
    ...USUAL,
    round: 'soon',
  },
  unreadable: {
    advice:
      'Check that what answers at the endpoint is Proxmox (https://HOST:8006), and no login page or other server; else its version may be too new or too old. Nothing was decided on it.',
    ...USUAL,
    look: 'end',
    round: 'soon',
  },
  denied: {
    advice: 'Grant the privilege that is named, on that path. Running again is safe.',
    ...USUAL,
    rival: 'overlook',
    round: 'person',
  },
  invalid: {
    advice: 'Proxmox does not accept a value. Mend it in the spec. Running again is safe.',
    ...USUAL,
    round: 'person',
  },
  // the server has no such request: another version, or no whole Proxmox
  'not-implemented': {
    advice:
      'The server has no such request. Check that the endpoint is that of Proxmox (https://HOST:8006); else its version may be too old. Running again is safe.',
    ...USUAL,
    round: 'person',
  },
  // nothing else that is asked will be answered either
  untrusted: {
    // somebody answers at the endpoint who cannot prove that he is the one
    advice: 'Nothing was sent. Running again is safe.',
    ...USUAL,
    one: 'end',
    round: 'person',
  },
  unauthenticated: {
    advice: 'Check the token or the password, and that they have not expired. Running again is safe.',
    ...USUAL,
    look: 'end',
    one: 'end',
    round: 'person',
  },
} as const satisfies Record<string, FailureKind>;

/** Why Proxmox did not do one request. A kind per cause; what to decide follows from it. */
export type PveErrorKind = keyof typeof TABLE;

export const FAILURES: Readonly<Record<PveErrorKind, FailureKind>> = TABLE;
