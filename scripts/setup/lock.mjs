// @ts-check
// One set-up at a time in one clone. Nothing has to clean up after a killed holder.
//
// The lock is the highest-numbered file of a folder; it is held while the process it names lives and has not let go.
// Taking it is making the next number, which only one process can do.
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive } from './process-identity.mjs';
import { at } from './root.mjs';
import { say } from './say.mjs';

const folder = at('.setup', 'lock');

/** @typedef {import('./process-identity.mjs').Identity & { since: string, released: boolean }} Holder */

/**
 * Runs the work while no other process runs its own under this lock.
 * @template T @param {() => Promise<T>} work
 */
export async function withLock(work) {
  mkdirSync(folder, { recursive: true });
  const mine = await take();
  try {
    return await work();
  } finally {
    write({ ...self(), released: true }, temporary => renameSync(temporary, file(mine)));
  }
}

async function take() {
  let told = 0;
  for (;;) {
    const last = newest();
    const holder = last === 0 ? undefined : read(last);
    if (!holder || holder.released || !isAlive(holder)) {
      if (claim(last + 1)) return last + 1;
      continue;
    }
    if (told !== holder.pid) {
      say(
        `another set-up of this folder is under way (process ${holder.pid}, since ${holder.since}): waiting`,
      );
      told = holder.pid;
    }
    await sleep(200);
  }
}

/** @param {number} number */
function claim(number) {
  try {
    write(self(), temporary => linkSync(temporary, file(number)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  // The folder may have moved on, and our number been swept away, between the look and the claim.
  if (newest() !== number) {
    rmSync(file(number), { force: true });
    return false;
  }
  for (const older of numbers()) if (older < number) rmSync(file(older), { force: true });
  return true;
}

/** @returns {Holder} */
function self() {
  return { ...identityOf(process.pid), since: new Date().toLocaleTimeString('en-GB'), released: false };
}

/** @param {number} number */
const file = number => path.join(folder, String(number));
const numbers = () => readdirSync(folder).map(Number).filter(Number.isInteger);
const newest = () => Math.max(0, ...numbers());

/** @param {number} number @returns {Holder | undefined} */
function read(number) {
  try {
    return JSON.parse(readFileSync(file(number), 'utf8'));
  } catch {
    return undefined; // swept away since we looked
  }
}

/** Readers see all of a lock file or none of it. @param {Holder} holder @param {(temporary: string) => void} place */
function write(holder, place) {
  const temporary = path.join(folder, `${process.pid}.new`);
  writeFileSync(temporary, JSON.stringify(holder));
  place(temporary);
  rmSync(temporary, { force: true });
}
