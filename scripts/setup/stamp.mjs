// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at, root } from './root.mjs';

/**
 * A hash over the content of files and folders of the clone (a missing one counts as missing) and over other facts.
 * @param {string[]} paths inside the clone
 * @param {unknown[]} facts
 */
export const hashOf = (paths, ...facts) => hashUnder(root, paths, ...facts);

/**
 * The same, of a folder that may lie anywhere: the hash is of what is in it, not of where it is.
 * @param {string} folder @param {string[]} paths inside it @param {unknown[]} facts
 */
export function hashUnder(folder, paths, ...facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of paths.flatMap(name => filesUnder(path.join(folder, name)))) {
    const content = readFileSync(file);
    hash.update(`\n${path.relative(folder, file)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} start @returns {string[]} */
function filesUnder(start) {
  if (!existsSync(start)) return [];
  try {
    const entries = readdirSync(start, { withFileTypes: true }).filter(
      entry => entry.name !== 'node_modules',
    );
    return entries
      .map(entry => path.join(start, entry.name))
      .sort()
      .flatMap(filesUnder);
  } catch {
    return [start];
  }
}

/** @param {string} step */
const stampOf = step => at('.setup', 'stamps', step);

/** @param {string} step @param {string} key */
export function isStamped(step, key) {
  return existsSync(stampOf(step)) && readFileSync(stampOf(step), 'utf8') === key;
}

/** @param {string} step @param {string} key */
export function stamp(step, key) {
  mkdirSync(path.dirname(stampOf(step)), { recursive: true });
  writeFileSync(stampOf(step), key);
}
