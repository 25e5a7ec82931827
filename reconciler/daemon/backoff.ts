import { InputError, RefusedError } from '../errors';
import { isFailure, onFailure } from '../pve';

const FIRST_MS = 1_000;
/** The longest pause; also of what only a new spec or new credentials can help: its cause may go away in Proxmox. */
export const LONGEST_MS = 300_000;

/** The kind of an error, as a word for a label: never anything of its text. */
export function kindOf(error: unknown): string {
  if (isFailure(error)) return error.kind;
  if (error instanceof RefusedError) return 'refused';
  if (error instanceof InputError) return 'input';
  return error instanceof Error ? error.name : 'unknown';
}

/** Whether only a new spec or new credentials help. */
export function isLasting(error: unknown): boolean {
  if (error instanceof RefusedError || error instanceof InputError) return true;
  return onFailure(error, 'round') === 'person';
}

/** How long to wait before the next try, after so many failures in a row: 1, 2, 4, 8 s … 5 min. */
export function backoffMs(error: unknown, failures: number): number {
  if (isLasting(error)) return LONGEST_MS;
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
}
