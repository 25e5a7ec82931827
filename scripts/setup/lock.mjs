// One set-up at a time in one clone. Nothing has to clean up after a killed holder.
//
// The lock is the highest-numbered file of a folder. It is held while a process that it names lives: the set-up, or an
// `npm ci` or `go build` that a killed set-up left running. Taking it is making the next number, which only one can do.
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, processOf } from './process-identity.mjs';
import { at } from './root.mjs';
import { say } from './say.mjs';

const folder = at('.setup', 'lock');
/** @param {number} number */
const file = number => path.join(folder, String(number));
const numbers = () => readdirSync(folder).map(Number).filter(Number.isInteger);
const newest = () => Math.max(0, ...numbers());

/** @typedef {import('./process-identity.mjs').Identity & { says: string }} Holder */
/** The lock of this process, and who holds it. @type {{ number: number, holders: Holder[] }} */
const mine = { number: 0, holders: [] };

/** Runs the work while no other process runs its own under this lock. @template T @param {() => Promise<T>} work */
export async function withLock(work) {
  mkdirSync(folder, { recursive: true });
  await take();
  try {
    return await work();
  } finally {
    hold([]);
  }
}

/** Holds the lock for a program that we started, too, until what this gives is called. @param {number} pid @param {string} name */
export function holdFor(pid, name) {
  const says = `a set-up that was killed left its ${name} running (process ${pid}): waiting for its end`;
  hold([...mine.holders, { ...processOf(pid), says }]);
  return () => hold(mine.holders.filter(holder => holder.pid !== pid));
}

async function take() {
  const since = new Date().toLocaleTimeString('en-GB');
  const says = `another set-up of this folder is under way (process ${process.pid}, since ${since}): waiting`;
  mine.holders = [{ ...processOf(process.pid), says }];
  for (let told = 0; ; await sleep(told === 0 ? 0 : 200)) {
    mine.number = newest() + 1;
    const holder = holdersOf(mine.number - 1).find(isAlive);
    if (!holder && claim()) return;
    if (holder && told !== holder.pid) say(holder.says);
    told = holder?.pid ?? 0;
  }
}

function claim() {
  try {
    write(linkSync);
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false;
    throw error;
  }
  // The folder may have moved on, and our number been swept away, between the look and the claim.
  const isMine = newest() === mine.number;
  const old = isMine ? numbers().filter(number => number < mine.number) : [mine.number];
  for (const number of old) rmSync(file(number), { force: true });
  return isMine;
}

/** @param {Holder[]} holders */
function hold(holders) {
  mine.holders = holders;
  write(renameSync);
}

/** Readers see all of a lock file or none of it. @param {(from: string, to: string) => void} place */
function write(place) {
  const temporary = path.join(folder, `${process.pid}.new`);
  writeFileSync(temporary, JSON.stringify(mine.holders));
  try {
    place(temporary, file(mine.number));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** @param {number} number @returns {Holder[]} */
function holdersOf(number) {
  try {
    return [JSON.parse(readFileSync(file(number), 'utf8'))].flat();
  } catch {
    return []; // no lock yet, or swept away since we looked
  }
}
