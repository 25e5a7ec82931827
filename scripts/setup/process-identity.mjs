// @ts-check
import { readFileSync } from 'node:fs';

/** A process as written to disk, to be recognized later. @typedef {{ pid: number, began: string }} Identity */

/**
 * When a process began, so that another one with the same number is not taken for it.
 * Empty where the system does not tell (only Linux does), and for a process that has ended and waits to be collected.
 * @param {number} pid
 */
function beganAt(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? '' : (fields[19] ?? '');
  } catch {
    return '';
  }
}

/** @param {number} pid @returns {Identity} */
export const identityOf = pid => ({ pid, began: beganAt(pid) });

/** @param {Identity} identity */
export function isAlive({ pid, began }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return began === beganAt(pid);
}
