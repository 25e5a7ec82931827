// npm test [suite…]: everything that CI runs, or these suites of it. The last line counts it all. With `-- --changed` only the
// test files that import what differs from main, committed or not. With `-- SUITE --shard=2/6` the second of six parts of it.
import './setup/node-version.mjs';
import { rmSync } from 'node:fs';
import { checkNames, runChecks } from './checks.mjs';
import { chosen } from './setup/chosen.mjs';
import { at } from './setup/root.mjs';
import { setUp, tested } from './setup/set-up.mjs';
import { failure, runSuite, suiteNames } from './suites.mjs';

const words = process.argv.slice(2);
const isChanged = words.includes('--changed');
const shards = words.filter(word => /^--shard=[1-9]\d*\/[1-9]\d*$/.test(word));
const asked = words.filter(word => word !== '--changed' && !shards.includes(word));
const suites = chosen('suite', ['checks', ...suiteNames], asked);
const total = { passed: 0, skipped: 0 };
/** Told once more at the end: the log of a CI is often cut to its last lines. @type {string[]} */
const red = [];

/** @param {import('./suites.mjs').Tally} tally */
function add({ passed, failures, skips }) {
  total.passed += passed;
  total.skipped += skips.length;
  red.push(...failures);
  for (const skip of skips) console.log(`skipped  ${skip}`);
  tellRed(failures);
}

/** @param {string[]} failures */
function tellRed(failures) {
  for (const each of failures) console.log(`FAIL  ${each}`);
}

/** The checks that only read the code; the unit tests are a suite here. @returns {Promise<import('./suites.mjs').Tally>} */
async function readCode() {
  // A lint rule that knows types may judge a file anew that did not change itself: here each file is read.
  rmSync(at('.setup', 'cache', 'lint'), { force: true });
  const names = checkNames.filter(name => name !== 'unit');
  const failed = await runChecks(names);
  return { passed: names.length - failed.length, failures: failed.map(name => `checks: ${name}`), skips: [] };
}

/** @param {string} name */
async function run(name) {
  const started = Date.now();
  add(name === 'checks' ? await readCode() : await runSuite(name, isChanged ? 'main' : undefined, shards));
  console.log(`${name}  ${Math.round((Date.now() - started) / 1000)} s`);
}

if (!(await setUp(tested))) add(failure('the set-up stopped'));
else for (const name of suites) await run(name);
tellRed(red);
console.log(`${total.passed} passed, ${red.length} failed, ${total.skipped} skipped`);
process.exitCode = red.length === 0 ? 0 : 1;
