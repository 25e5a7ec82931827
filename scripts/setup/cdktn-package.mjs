import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from './root.mjs';

const NAME = 'cdktn-proxmox';
const README = 'scripts/bundled/cdktn-readme.md';
const BESIDE = ['LICENSE', 'CHANGELOG.md', 'releases.json', 'schema'];
/** What an app brings. Of `constructs` it is what cdktn 0.24 asks for. */
const peerDependencies = { cdktn: '>=0.22 <0.25', constructs: '>=10.6.0 <10.8.0' };
/** `x.cdktn.js` takes the place of `x.js`. */
const TWIN = /\.cdktn(?=\.(js|d\.ts)$)/;

/** What the package is made of besides what is built. */
export const cdktnSources = ['scripts/setup/cdktn-package.mjs', README, ...BESIDE];

/**
 * The package for apps on cdktn, in a folder of its own inside what was built. Nothing is compiled for it: the files are
 * copied, and name `cdktn` where they name `cdktf`. What is only for it is taken out of the package for cdktf.
 * @param {string} built
 */
export function makeCdktnPackage(built) {
  const folder = path.join(built, NAME);
  // the simulator has a package of its own
  const entries = readdirSync(built).filter(entry => entry !== 'simulator.cjs');
  for (const entry of entries) copy(path.join(built, entry), path.join(folder, 'dist', entry));
  for (const entry of BESIDE) copy(at(entry), path.join(folder, entry));
  copy(at(README), path.join(folder, 'README.md'));
  writeFileSync(path.join(folder, 'package.json'), manifest());
  const files = filesIn(path.join(folder, 'dist', 'constructs'));
  for (const file of files) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(["'])cdktf(?=\1|\/)/g, '$1cdktn'));
  }
  for (const file of files.filter(name => TWIN.test(name))) renameSync(file, file.replace(TWIN, ''));
  for (const file of filesIn(path.join(built, 'constructs')).filter(name => TWIN.test(name))) rmSync(file);
}

/** @param {string} from @param {string} to */
function copy(from, to) {
  cpSync(from, to, { recursive: true });
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));
}

/** Our package.json, without what only the clone needs. */
function manifest() {
  const ours = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const { scripts, devDependencies, overrides, allowScripts, workspaces, ...manifest } = ours;
  manifest.description = manifest.description.replace('CDKTF', 'CDK Terrain');
  manifest.keywords = ['cdktn', ...manifest.keywords];
  return `${JSON.stringify({ ...manifest, name: NAME, peerDependencies }, null, 2)}\n`;
}
