import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Ends, at once and without a word to them, all processes whose TMPDIR is this folder: those that were started so, and
 * all that they started, also what has left their tree. None is left when it is done.
 * @param {string} folder
 */
export async function endAllOf(folder) {
  for (let found = processesOf(folder); found.length > 0; found = processesOf(folder)) {
    for (const pid of found) attempt(() => process.kill(pid, 'SIGKILL'));
    await sleep(20); // they end, and what one of them has just started shows its environment
  }
}

/** @param {string} folder @returns {number[]} */
function processesOf(folder) {
  const lines = existsSync('/proc/self/environ')
    ? readdirSync('/proc').map(pid => `${pid} ${attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8'))}`)
    : execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  return lines.filter(line => line.includes(`TMPDIR=${folder}`)).map(line => Number.parseInt(line, 10));
}

/** What it gives; nothing where the process has ended meanwhile, or is somebody else's. @template T @param {() => T} what */
function attempt(what) {
  try {
    return what();
  } catch {
    return undefined;
  }
}
