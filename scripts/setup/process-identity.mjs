import { readFileSync } from 'node:fs';

/** A process as written to disk: another one may have its number later. @typedef {{ pid: number, began: string }} Identity */

/** Only Linux tells when it began; nothing is told of one that waits to be collected. @param {number} pid @returns {Identity} */
export function processOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, began: fields[0] === 'Z' ? '' : (fields[19] ?? '') };
  } catch {
    return { pid, began: '' };
  }
}

/** @param {Identity} identity */
export function isAlive({ pid, began }) {
  try {
    return process.kill(pid, 0) && began === processOf(pid).began;
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    return String(error).includes('EPERM') && began === processOf(pid).began;
  }
}
