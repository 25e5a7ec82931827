// npm run release: all that a release does but publish. `--dry-run` changes nothing in this tree; without it the six files
// of the release are written here, to be committed. `--tag v0.2.0` is what the workflow runs on the commit of the tag.
import './setup/node-version.mjs';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeArtifacts } from './release/artifacts.mjs';
import { cut } from './release/changelog.mjs';
import { cloneOf, refuseMoved, refuseUnclean } from './release/clone.mjs';
import { done, ReleaseError, tried } from './release/command.mjs';
import { addRelease, confirmRelease } from './release/list.mjs';
import { provenanceFault } from './release/repository.mjs';
import { nextVersion, setVersion, versionIn } from './release/versions.mjs';
import { at, root } from './setup/root.mjs';

/** What a release changes in the tree. */
const WRITTEN = [
  'CHANGELOG.md',
  'kubernetes/chart/Chart.yaml',
  'package.json',
  'package-lock.json',
  'releases.json',
  'simulator/package.json',
];

const say = (/** @type {string} */ text) => console.error(`release: ${text}`);
const build = (/** @type {string} */ folder) => done(folder, process.execPath, 'scripts/build.mjs');
const outOf = (/** @type {string} */ version) => at('.setup', 'release', version);

/** @param {string | undefined} asked @param {boolean} isDry */
function cutRelease(asked, isDry) {
  const version = nextVersion(versionIn(root), asked);
  if (tried(root, 'git', 'rev-parse', '--quiet', '--verify', `refs/tags/v${version}`).ok)
    throw new ReleaseError(`the tag v${version} is there already: give a later --version.`);
  const date = new Date().toISOString().slice(0, 10);
  const changelog = cut(readFileSync(at('CHANGELOG.md'), 'utf8'), version, date);
  const clone = cloneOf(root);
  try {
    writeFileSync(path.join(clone, 'CHANGELOG.md'), changelog);
    setVersion(clone, version);
    build(clone);
    addRelease(clone, version, date);
    // the package for cdktn takes the list along
    build(clone);
    makeArtifacts(clone, version, outOf(version), say);
    confirmRelease(clone, version);
    refuseMoved(root, clone);
    if (!isDry) for (const name of WRITTEN) copyFileSync(path.join(clone, name), at(name));
  } finally {
    rmSync(path.dirname(clone), { recursive: true, force: true });
  }
  const fault = provenanceFault(root);
  if (fault !== undefined) say(`to be mended before the tag: ${fault}`);
  return isDry ? afterDryRun(version) : afterCut(version);
}

/** @param {string} tag */
function checkTag(tag) {
  const version = versionIn(root);
  if (tag !== `v${version}`)
    throw new ReleaseError(
      `the tag ${tag} is not that of package.json, which has ${version}: tag the commit of the release.`,
    );
  const fault = provenanceFault(root, process.env.GITHUB_REPOSITORY);
  if (fault !== undefined) throw new ReleaseError(`${fault} Nothing was published.`);
  build(root);
  confirmRelease(root, version);
  makeArtifacts(root, version, outOf(version), say);
  return [`${tag} is as released: publish what is in ${outOf(version)}.`];
}

/** @param {string} version */
const afterDryRun = version => [
  `dry run: nothing was published, and no file of the tree was changed. Look at ${outOf(version)}.`,
  `To release: npm run release -- --version ${version}`,
];

/** @param {string} version */
const afterCut = version => [
  `written: ${WRITTEN.join(', ')}. Nothing was published. Next, by a person:`,
  `  1. git diff                        read it`,
  `  2. git commit -am "Release ${version}"   on main, through review`,
  `  3. git tag -s v${version} -m v${version} && git push origin v${version}`,
  '  4. The workflow "release" builds the tag again, compares the SHA-256, and waits for approval of its environment "npm".',
  '     It publishes to npm with provenance, signs the image, and makes the release with SBOM and attestations.',
];

try {
  const { values } = parseArgs({
    options: { version: { type: 'string' }, 'dry-run': { type: 'boolean' }, tag: { type: 'string' } },
  });
  const { version, tag, 'dry-run': isDry = false } = values;
  if (tag !== undefined && (version !== undefined || isDry))
    throw new ReleaseError('--tag goes with no other flag: the tree of a tag has its version.');
  refuseUnclean(root);
  console.log((tag === undefined ? cutRelease(version, isDry) : checkTag(tag)).join('\n'));
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = error instanceof ReleaseError ? 2 : 1;
}
