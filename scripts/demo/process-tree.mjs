// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Ends a process of ours and all that it started, at once and without a word to them. The process itself must not be
 * collected yet. What has left the tree before is not found.
 * @param {number} pid
 */
export function endTree(pid) {
  /** @type {Set<number>} */
  const stopped = new Set();
  // A stopped process starts no other: from the round that finds nobody new, nobody can be missed.
  for (let found = [pid]; found.length > 0; found = childrenOf(stopped)) {
    for (const one of found) {
      signal(one, 'SIGSTOP');
      stopped.add(one);
    }
  }
  for (const one of stopped) signal(one, 'SIGKILL');
}

/** @param {ReadonlySet<number>} parents */
function childrenOf(parents) {
  return processes()
    .filter(({ pid, parent }) => parents.has(parent) && !parents.has(pid))
    .map(({ pid }) => pid);
}

/** @returns {{ pid: number, parent: number }[]} */
function processes() {
  if (!existsSync('/proc/self/stat')) {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return lines
      .map(line => line.trim().split(/\s+/).map(Number))
      .map(([pid = 0, parent = 0]) => ({ pid, parent }));
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => ({ pid: Number(name), parent: parentOf(name) }));
}

/** @param {string} pid */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0; // it has ended meanwhile
  }
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended meanwhile
  }
}
