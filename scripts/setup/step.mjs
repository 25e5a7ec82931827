// @ts-check
import { existsSync } from 'node:fs';
import { say } from './say.mjs';
import { isStamped, stamp } from './stamp.mjs';

/**
 * One thing the set-up brings about. It is done again only when its key changed or an output is gone.
 * @typedef {object} Step
 * @property {string} name
 * @property {string} says what it does, for the person who waits
 * @property {() => string} key a hash of all it depends on
 * @property {() => string[]} outputs the paths it leaves behind
 * @property {() => Promise<void>} run
 */

/** Does the step if it is not done yet. @param {Step} step @returns {Promise<boolean>} whether there was anything to do */
export async function bringUpToDate(step) {
  const key = step.key();
  if (isStamped(step.name, key) && step.outputs().every(output => existsSync(output))) return false;
  const started = Date.now();
  say(`${step.name}: ${step.says}`);
  stamp(step.name, 'under way');
  await step.run();
  stamp(step.name, key);
  say(`${step.name}: done in ${Math.round((Date.now() - started) / 1000)} s`);
  return true;
}
