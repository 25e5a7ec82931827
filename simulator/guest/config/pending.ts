import { Failure } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';
import { generateCloudInit } from '../cloud-init/image';
import { digestOf, shownValue } from '../conf-file/load';
import { deleteOrDetachDrive, registerUnusedDrive } from '../drives/detach';
import { writeConfig } from '../conf-file/write';
import { isCloudInit, isDriveKey, parseDrive } from '../drives/drive';

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
  if (!hasPending(guest)) return errors;
  let isNewImage = false;
  writeConfig(sim, guest, draft => {
    for (const key of Object.keys(draft.pendingDelete).sort()) {
      tryChange(errors, key, () => deleteNow(sim, draft, key, user));
    }
    cleanPending(draft);
    isNewImage = Object.entries(draft.pending).some(
      ([key, value]) => isDriveKey(key) && isCloudInit(parseDrive(key, value)),
    );
    for (const [key, value] of Object.entries(draft.pending)) {
      tryChange(errors, key, () => setNow(sim, draft, key, value));
    }
  });
  // the changes stay applied when the image cannot be made
  if (isNewImage) writeConfig(sim, guest, draft => generateCloudInit(sim, draft));
  return errors;
}

function deleteNow(sim: Sim, draft: Guest, key: string, user: string): void {
  if (draft.config[key] !== undefined && isDriveKey(key)) {
    deleteOrDetachDrive(sim, draft, key, user, draft.pendingDelete[key] ?? false);
  }
  delete draft.pendingDelete[key];
  delete draft.config[key];
}

function setNow(sim: Sim, draft: Guest, key: string, value: string): void {
  const old = draft.config[key];
  if (old !== undefined && isDriveKey(key)) registerUnusedDrive(sim, draft, parseDrive(key, old));
  draft.config[key] = value;
  delete draft.pending[key];
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
