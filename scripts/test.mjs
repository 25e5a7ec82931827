// @ts-check
// npm test: everything that CI runs. The last line counts it all.
import './setup/node-version.mjs';
import { readFileSync, rmSync } from 'node:fs';
import { runChecks } from './checks/run-checks.mjs';
import { staticChecks } from './checks/static-checks.mjs';
import { at } from './setup/root.mjs';
import { setUp } from './setup/set-up.mjs';
import { oneFailure, runSuite } from './test/run-suite.mjs';
import { sum } from './test/tally.mjs';

/** @returns {Promise<import('./test/tally.mjs').Tally[]>} */
async function everything() {
  if (!(await setUp(['dependencies', 'build', 'engine', 'cdktf-cli'])))
    return [oneFailure('the set-up stopped')];
  // A lint rule that knows types may judge a file anew that did not change itself: here each file is read.
  rmSync(at('.setup', 'cache', 'lint'), { force: true });
  const failed = await runChecks(staticChecks);
  /** @type {import('./test/tally.mjs').Tally[]} */
  const tallies = [{ passed: staticChecks.length - failed, failed, skips: [], notes: [] }];
  /** @type {Record<string, string[]>} */
  const suites = JSON.parse(readFileSync(at('scripts', 'test', 'suites.json'), 'utf8'));
  for (const [name, folders] of Object.entries(suites)) tallies.push(await runSuite(name, folders));
  return tallies;
}

const { passed, failed, skips, notes } = sum(await everything());
for (const skip of skips) console.log(`skipped  ${skip}`);
for (const note of notes) console.log(`FAIL  ${note}`);
console.log(`${passed} passed, ${failed} failed, ${skips.length} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
