// @ts-check
// A killed set-up leaves its `npm ci` or `go build` running. The next one must not start a second beside it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive } from './process-identity.mjs';
import { at } from './root.mjs';
import { say } from './say.mjs';

const folder = at('.setup', 'workers');

/** Remembers a program we started; call what it gives when the program has ended. @param {number} pid @param {string} name */
export function recordWorker(pid, name) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, String(pid));
  writeFileSync(file, JSON.stringify({ ...identityOf(pid), name }));
  return () => rmSync(file, { force: true });
}

/** Waits until no program of a killed set-up is left. Call it only while holding the lock. */
export async function endOfOrphans() {
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder)) {
    const worker = read(path.join(folder, entry));
    if (worker && isAlive(worker)) {
      say(
        `a set-up that was killed left its ${worker.name} running (process ${worker.pid}): waiting for its end`,
      );
      while (isAlive(worker)) await sleep(200);
    }
    rmSync(path.join(folder, entry), { force: true });
  }
}

/** @param {string} file @returns {import('./process-identity.mjs').Identity & { name: string } | undefined} */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // killed while it wrote this down
  }
}
