import type { Action } from '../action';
import { InputError, InterruptedError, MachineError, RefusedError, StoreAwayError } from '../errors';
import { EndpointsError, PveError, TaskError } from '../pve/answers/errors';
import { oneLine } from './visible';
import { actionText } from './action-text';
import { refusalTexts } from './refusal-text';

/**
 * An error for people: which machine, in which step, what Proxmox said, what to do, whether running again is safe. Only
 * an error that nobody foresaw shows its stack.
 */
export function failureText(error: unknown, machine?: string, action?: Action): string {
  if (error instanceof RefusedError) {
    const { refusals } = error;
    return refusalTexts(refusals)
      .map((text, index) => `${refusals[index]?.machine ?? ''}: REFUSED: ${text}`)
      .join('\n');
  }
  const named = machine ?? (error instanceof MachineError ? error.machine : undefined);
  return `${named === undefined ? '' : `${named}: `}${reasonText(error, action)}`;
}

/** The same without the machine. */
export function reasonText(error: unknown, action?: Action): string {
  if (error instanceof RefusedError) return `REFUSED: ${causeText(error)}`;
  return `${action === undefined ? 'ERROR' : `FAILED while ${actionText(action)}`}: ${causeText(error)}`;
}

/** The same without the step. */
export function causeText(error: unknown): string {
  if (error instanceof RefusedError) return refusalTexts(error.refusals).join('\n');
  if (error instanceof MachineError) return error.said;
  if (error instanceof TaskError) {
    const log = error.task.log.map(line => `| ${oneLine(line)}`);
    return [...log, oneLine(error.message)].join('\n');
  }
  if (error instanceof PveError && error.kind === 'unauthenticated') {
    return `authentication failed: invalid credentials. ${error.message}`;
  }
  if (isForeseen(error)) return error.message;
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${told}\nThis is a fault of pve-reconciler: report it with these lines. Running again is safe.`;
}

function isForeseen(error: unknown): error is Error {
  const foreseen = [EndpointsError, InputError, InterruptedError, PveError, StoreAwayError];
  return foreseen.some(kind => error instanceof kind);
}
