import { FAILURES, type Decisions, type PveErrorKind } from './failure-decisions';
import { parseUpid } from './upid';

/** The same for a write: what was asked for may have been done. */
const UNREADABLE_WRITE =
  'Proxmox answered in an unknown form and may have done it. Run again: what is there is read first.';

/** Proxmox answers so to plain http on its port of https. */
const LED_AWAY =
  'Begin the endpoint with https:// and name Proxmox itself (https://HOST:8006): Proxmox sends plain http:// elsewhere, and so does a login page before it. Nothing was decided on it.';

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
    super(`${saidBy(kind, facts)} ${adviceFor(kind, facts)}`, options);
    this.said = saidBy(kind, facts);
    this.advice = adviceFor(kind, facts);
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

function adviceFor(kind: PveErrorKind, { method, status = 0 }: RequestFacts): string {
  if (kind !== 'unreadable') return FAILURES[kind].advice;
  if (method !== 'GET') return UNREADABLE_WRITE;
  return status >= 300 && status < 400 ? LED_AWAY : FAILURES[kind].advice;
}

/**
 * Whether a server may have no such request: real Proxmox says 501 then, and 404 or 405 to nothing. What is asked for may also
 * be missing.
 */
export function mayLackRequest(error: unknown): error is PveError {
  return error instanceof PveError && [404, 405, 501].includes(error.facts.status ?? 0);
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
    super(`task ${task.upid} on ${task.node} ended with: ${task.exitStatus}. ${FAILURES[kind].advice}`);
    this.said = `${parseUpid(task.upid).type} on ${task.node} ended with: ${task.exitStatus}.`;
  }
}

/** The addresses of one configuration lead to different clusters. Nothing was sent but reads of their names. */
export class EndpointsError extends Error {
  override readonly name = 'EndpointsError';
}

/** A request that Proxmox did not do, or a task that did not end well. */
export function isFailure(error: unknown): error is PveError | TaskError {
  return error instanceof PveError || error instanceof TaskError;
}

/** What to do about an error. Undefined: it is no failure of Proxmox, and none of this helps. */
export function onFailure<Of extends keyof Decisions>(error: unknown, of: Of): Decisions[Of] | undefined {
  return isFailure(error) ? FAILURES[error.kind][of] : undefined;
}

/** Whether the others that are read can be reported without the one that failed. */
export function isOneLess(error: unknown): error is PveError {
  return error instanceof PveError && FAILURES[error.kind].one === 'without';
}
