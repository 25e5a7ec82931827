import { parseUpid } from './upid';

/** Why Proxmox did not do one request. A kind per cause; what to decide follows from it. */
export type PveErrorKind =
  | 'unreachable'
  /** Somebody answers at the endpoint who cannot prove that he is the one. */
  | 'untrusted'
  | 'unauthenticated'
  | 'denied'
  | 'invalid'
  | 'not-found'
  | 'already-exists'
  | 'locked'
  | 'no-quorum'
  | 'changed'
  | 'failed'
  /** The server has no such request: another version, or no whole Proxmox. */
  | 'not-implemented'
  | 'unknown-outcome'
  | 'unreadable';

/** What the reader should do, and whether running again is safe, by kind. One place for the wording. */
const ADVICE: Record<PveErrorKind, string> = {
  unreachable: 'Check the endpoint, the network and that the node is up. Running again is safe.',
  untrusted: 'Nothing was sent. Running again is safe.',
  unauthenticated: 'Check the token or the password, and that they have not expired. Running again is safe.',
  denied: 'Grant the privilege that is named, on that path. Running again is safe.',
  invalid: 'Proxmox does not accept a value. Mend it in the spec. Running again is safe.',
  'not-found': 'It may have been removed or moved. Run again: the cluster is read anew.',
  'already-exists': 'Something else took that id or name. Run again: another is chosen where it may be.',
  locked: 'Another operation holds the lock. Run again when it has ended; it is safe.',
  'no-quorum': 'The cluster has lost its quorum, nothing is written. Bring the nodes back, then run again.',
  changed: 'Somebody changed it at the same time. Run again: it is read anew.',
  'not-implemented': 'The server has no such request; its version may be too old. Running again is safe.',
  failed: 'Proxmox says why. Running again is safe.',
  'unknown-outcome': 'The answer was lost, Proxmox may have done it. Run again: what is there is read first.',
  unreadable:
    'Proxmox answered in an unknown form; the version may be too new or too old. Nothing was decided on it.',
};

/** The same for a write: what was asked for may have been done. */
const UNREADABLE_WRITE =
  'Proxmox answered in an unknown form and may have done it. Run again: what is there is read first.';

export interface RequestFacts {
  method: string;
  path: string;
  status?: number;
  /** What Proxmox said, whole. */
  text: string;
  /** One text for each refused parameter. */
  parameters?: Record<string, string>;
}

/** One request that Proxmox did not do, or whose answer was lost or unreadable. */
export class PveError extends Error {
  override readonly name = 'PveError';
  /** The same without advice: for a reader who is not to run anything again. */
  readonly said: string;
  /** What to do, and whether running again is safe. */
  readonly advice: string;
  constructor(
    readonly kind: PveErrorKind,
    readonly facts: RequestFacts,
    options?: { cause: unknown },
  ) {
    super(`${saidBy(kind, facts)} ${adviceFor(kind, facts.method)}`, options);
    this.said = saidBy(kind, facts);
    this.advice = adviceFor(kind, facts.method);
  }
}

function saidBy(kind: PveErrorKind, { method, path, status, text, parameters = {} }: RequestFacts): string {
  const refused = Object.entries(parameters).map(([name, why]) => `${name}: ${why.trim()}`);
  // PVE: a text may have several lines; whole it stands in the facts
  const said = [text.trim(), ...refused].join('; ').replace(/\s*\n\s*/g, ' | ');
  const sentence = /[.!?]$/.test(said) ? said : `${said}.`;
  // no answer came to any request: which one it was says nothing
  if (kind === 'untrusted' || (kind === 'unreachable' && status === undefined && method === 'GET')) {
    return `Proxmox ${kind === 'untrusted' ? 'is not trusted' : 'cannot be reached'}: ${sentence}`;
  }
  return `${method} ${path}: ${status === undefined ? '' : `${status} `}${sentence}`;
}

function adviceFor(kind: PveErrorKind, method: string): string {
  return kind === 'unreadable' && method !== 'GET' ? UNREADABLE_WRITE : ADVICE[kind];
}

/**
 * Whether a server may have no such request: real Proxmox says 501 then, and 404 to nothing. What is asked for may also
 * be missing.
 */
export function mayLackRequest(error: unknown): error is PveError {
  return error instanceof PveError && [404, 501].includes(error.facts.status ?? 0);
}

/** A task that Proxmox accepted and that did not end well. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  /** The same without advice, and without the task's number: the same failure gives the same words. */
  readonly said: string;
  constructor(
    readonly kind: PveErrorKind,
    readonly task: { upid: string; node: string; exitStatus: string; log: string[] },
  ) {
    super(`task ${task.upid} on ${task.node} ended with: ${task.exitStatus}. ${ADVICE[kind]}`);
    this.said = `${parseUpid(task.upid).type} on ${task.node} ended with: ${task.exitStatus}.`;
  }
}

/** The addresses of one configuration lead to different clusters. Nothing was sent but reads of their names. */
export class EndpointsError extends Error {
  override readonly name = 'EndpointsError';
}
