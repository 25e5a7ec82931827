import { readFileSync, readdirSync } from 'node:fs';
import { hasOwnProc } from './process-namespace';

/**
 * Ends the worker of a socket: it may not wake up later. One that never said who it is is found where `/proc` lists the processes that this one may end;
 * elsewhere it goes on, and finds that nobody waits for it.
 */
export function endWorker(socket: string, pid: number | undefined): void {
  const found = pid === undefined ? processesOf(socket) : [pid];
  for (const each of found) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // it ended just now
    }
  }
}

/** Those that were started with this path as their last word, in this namespace of processes. */
function processesOf(socket: string): number[] {
  if (!hasOwnProc()) return [];
  return processes().filter(pid => wordsOf(pid).at(-1) === socket);
}

function processes(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}
