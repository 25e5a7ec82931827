import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ReleaseError } from './command.mjs';

/** The list of releases, by which `pve-reconciler verify` knows a reconciler. @typedef {{ version: string, date: string, files: Record<string, string> }} Release */

const LIST = 'releases.json';
const FILES = ['reconciler.cjs', 'reconciler-program.cjs'];

/** @param {string} file */
export const sha256 = file => createHash('sha256').update(readFileSync(file)).digest('hex');

/** @param {string} folder */
const hashesIn = folder =>
  Object.fromEntries(FILES.map(name => [name, sha256(path.join(folder, 'dist', name))]));

/** @param {string} folder @returns {{ version: 1, releases: Release[] }} */
const listIn = folder => JSON.parse(readFileSync(path.join(folder, LIST), 'utf8'));

/** Adds the reconciler that was built in a folder, before the earlier ones. @param {string} folder @param {string} version @param {string} date */
export function addRelease(folder, version, date) {
  const { releases } = listIn(folder);
  const added = { version: 1, releases: [{ version, date, files: hashesIn(folder) }, ...releases] };
  writeFileSync(path.join(folder, LIST), `${JSON.stringify(added, null, 2)}\n`);
}

/** Throws where what was built is not what the list says of this version. @param {string} folder @param {string} version */
export function confirmRelease(folder, version) {
  const listed = listIn(folder).releases.find(release => release.version === version);
  const built = hashesIn(folder);
  const other = FILES.filter(name => listed?.files[name] !== built[name]);
  if (other.length === 0) return;
  throw new ReleaseError(
    `dist/${other.join(', dist/')} was built to other bytes than ${LIST} says of ${version}. Build with the packages of ` +
      'package-lock.json (npm ci), or cut the release again. Nothing was published.',
  );
}
