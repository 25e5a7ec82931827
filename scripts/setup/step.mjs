import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from './root.mjs';
import { say } from './say.mjs';

/**
 * One thing the set-up brings about. It is done again only when its key, a hash of all it depends on, has changed, or an
 * output is gone, or `made`, a hash of what it left behind, is another. `says` is for the person who waits.
 * @typedef {{ name: string, says: string, key: () => string, outputs: () => string[], made?: () => string, run: () => Promise<void> }} Step
 */

/** Does the step if it is not done yet, and says whether there was anything to do. Hold the lock. @param {Step} step */
export async function bringUpToDate(step, tell = say) {
  const file = at('.setup', 'stamps', step.name);
  const key = step.key();
  const stamp = () => `${key}${step.made?.() ?? ''}`;
  const isDone = existsSync(file) && readFileSync(file, 'utf8') === stamp();
  if (isDone && step.outputs().every(output => existsSync(output))) return false;
  const started = Date.now();
  tell(`${step.name}: ${step.says}`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'begun');
  await step.run();
  writeFileSync(file, stamp());
  tell(`${step.name}: done in ${Math.round((Date.now() - started) / 1000)} s`);
  return true;
}

/** A hash over what is in files and folders of the clone, which may be missing, and over facts. @param {string[]} paths @param {unknown[]} facts */
export function hashOf(paths, ...facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of paths.flatMap(filesUnder)) {
    const content = readFileSync(at(file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Stands in a folder of sources, and is made of them. */
const BUILT = path.join('simulator', 'dist');

/** @param {string} name @returns {string[]} */
function filesUnder(name) {
  if (!existsSync(at(name))) return [];
  if (!statSync(at(name)).isDirectory()) return [name];
  const names = readdirSync(at(name)).filter(entry => entry !== 'node_modules');
  const within = names.sort().map(entry => path.join(name, entry));
  return within.filter(file => file !== BUILT).flatMap(filesUnder);
}
