import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from './root.mjs';
import { say } from './say.mjs';

/**
 * One thing the set-up brings about. It is done again only when its key changed or an output is gone.
 * @typedef {object} Step
 * @property {string} name
 * @property {string} says what it does, for the person who waits
 * @property {() => string} key a hash of all it depends on
 * @property {() => string[]} outputs the paths it leaves behind
 * @property {() => string} [made] a hash of what it leaves behind, where that too must be as it was
 * @property {() => Promise<void>} run
 */

/**
 * Does the step if it is not done yet, while the lock is held.
 * @param {Step} step @returns {Promise<boolean>} whether there was anything to do
 */
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

/**
 * A hash over the content of files and folders of the clone (a missing one counts as missing) and over other facts.
 * @param {string[]} paths inside the clone
 * @param {unknown[]} facts
 */
export function hashOf(paths, ...facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of paths.flatMap(filesUnder)) {
    const content = readFileSync(at(file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} name @returns {string[]} */
function filesUnder(name) {
  if (!existsSync(at(name))) return [];
  if (!statSync(at(name)).isDirectory()) return [name];
  const names = readdirSync(at(name)).filter(entry => entry !== 'node_modules');
  return names.sort().flatMap(entry => filesUnder(path.join(name, entry)));
}
