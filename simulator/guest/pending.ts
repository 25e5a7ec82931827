import { Failure } from '../failure';
import type { Sim } from '../sim';
import type { Guest } from '../world';
import { generateCloudInit } from './cloud-init-image';
import { digestOf, shownValue } from './config';
import { deleteOrDetachDrive, dropReattached } from './detach-drive';
import { registerUnused } from './unused';
import { isCloudInit, isDriveKey, parseDrive } from './drive';

/** One row of GET pending. */
export interface PendingRow {
  key: string;
  value?: string | number;
  pending?: string | number;
  delete?: 1 | 2;
}

/** Whether anything waits for the next start. */
export function hasPending(guest: Guest): boolean {
  return Object.keys(guest.pending).length > 0 || Object.keys(guest.pendingDelete).length > 0;
}

/** Drops what waits for nothing: values that stand already, deletions of what is not there. */
export function cleanPending(guest: Guest): void {
  for (const [key, value] of Object.entries(guest.pending)) {
    if (guest.config[key] === value) delete guest.pending[key];
  }
  for (const key of Object.keys(guest.pendingDelete)) {
    if (guest.config[key] === undefined) delete guest.pendingDelete[key];
  }
}

/**
 * Puts all pending changes into the configuration of a guest that is off, or about to start. A change that cannot
 * be made stays pending; what went wrong comes back by key.
 */
export function applyPending(sim: Sim, guest: Guest, user = 'root@pam'): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const key of Object.keys(guest.pendingDelete).sort()) {
    tryChange(errors, key, () => {
      if (guest.config[key] !== undefined && isDriveKey(key)) {
        deleteOrDetachDrive(sim, guest, key, user, guest.pendingDelete[key] ?? false);
      }
      delete guest.pendingDelete[key];
      delete guest.config[key];
    });
  }
  cleanPending(guest);
  let newImage = false;
  for (const [key, value] of Object.entries(guest.pending)) {
    tryChange(errors, key, () => {
      const old = guest.config[key];
      if (isDriveKey(key)) {
        if (old !== undefined) registerUnused(sim, guest, parseDrive(key, old));
        newImage ||= isCloudInit(parseDrive(key, value));
      }
      guest.config[key] = value;
      delete guest.pending[key];
    });
  }
  dropReattached(guest);
  if (newImage) generateCloudInit(sim, guest);
  return errors;
}

function tryChange(errors: Record<string, string>, key: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    errors[key] = `unable to apply pending change ${key} : ${error.message.trimEnd()}\n`;
  }
}

/** What GET pending answers: every key with its value and what waits for it. */
export function pendingAnswer(guest: Guest): PendingRow[] {
  const rows: PendingRow[] = Object.entries(guest.config).map(([key, value]) => ({
    key,
    value: shownValue(key, value),
    ...waiting(guest, key),
  }));
  for (const key of Object.keys({ ...guest.pending, ...guest.pendingDelete })) {
    if (guest.config[key] === undefined) rows.push({ key, ...waiting(guest, key) });
  }
  return [...rows, { key: 'digest', value: digestOf(guest) }];
}

function waiting(guest: Guest, key: string): Partial<PendingRow> {
  const value = guest.pending[key];
  const force = guest.pendingDelete[key];
  return {
    ...(value === undefined ? {} : { pending: shownValue(key, value) }),
    ...(force === undefined ? {} : { delete: force ? 2 : 1 }),
  };
}
