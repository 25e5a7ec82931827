import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ReleaseError } from './command.mjs';

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
/** @param {string} version */
const numbers = version => version.split('.').map(Number);

/** @param {string} folder @returns {string} */
export const versionIn = folder =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version;

/** The version that is asked for, or the next minor one. Throws where it is none, or not later. @param {string} present @param {string} [asked] */
export function nextVersion(present, asked) {
  const [major = 0, minor = 0] = numbers(present);
  const next = asked ?? `${major}.${minor + 1}.0`;
  if (!VERSION.test(next))
    throw new ReleaseError(`--version ${next} is no version of three numbers: write it as 0.2.0.`);
  const later = numbers(next).map((number, index) => number - (numbers(present)[index] ?? 0));
  if ((later.find(step => step !== 0) ?? 0) <= 0)
    throw new ReleaseError(
      `--version ${next} is not later than ${present}, which package.json has: give a later one.`,
    );
  return next;
}

/** Writes the version where it stands. The package for cdktn is made from package.json; the simulator has the same version. @param {string} folder @param {string} version */
export function setVersion(folder, version) {
  for (const name of ['package.json', 'simulator/package.json', 'package-lock.json']) {
    const file = path.join(folder, name);
    const json = JSON.parse(readFileSync(file, 'utf8'));
    json.version = version;
    for (const place of ['', 'simulator']) if (json.packages?.[place]) json.packages[place].version = version;
    writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
  }
  const chart = path.join(folder, 'kubernetes/chart/Chart.yaml');
  const text = readFileSync(chart, 'utf8');
  writeFileSync(chart, text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
}
