import {
  InputError,
  InterruptedError,
  MissingOutputError,
  NotConvergedError,
  RefusedError,
  TimeUpError,
  messageOf,
} from '../errors';
import { EndpointsError, PveError, TaskError } from '../pve/errors';
import { oneLine } from '../visible';
import { refusalText } from './refusal-text';

/**
 * An error for people: which machine, what Proxmox said, what to do, whether running again is safe. Only an error that
 * nobody foresaw shows its stack.
 */
export function failureText(error: unknown, machine?: string): string {
  const prefix = machine === undefined ? '' : `${machine}: `;
  if (error instanceof RefusedError) {
    return error.refusals.map(refusal => `${refusal.machine}: REFUSED: ${refusalText(refusal)}`).join('\n');
  }
  // these name their machine themselves
  if ([MissingOutputError, NotConvergedError, TimeUpError].some(kind => error instanceof kind))
    return `ERROR: ${messageOf(error)}`;
  if (error instanceof TaskError) {
    const log = error.task.log.map(line => `| ${oneLine(line)}`);
    return `${prefix}ERROR: ${[...log, oneLine(error.message)].join('\n')}`;
  }
  if (error instanceof PveError && error.kind === 'unauthenticated') {
    return `${prefix}ERROR: authentication failed: invalid credentials. ${error.message}`;
  }
  if (isForeseen(error)) return `${prefix}ERROR: ${error.message}`;
  return `${prefix}ERROR: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

function isForeseen(error: unknown): error is Error {
  return [EndpointsError, InputError, InterruptedError, PveError].some(kind => error instanceof kind);
}
