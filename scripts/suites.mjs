import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import jestConfig from '../jest.config.cjs';
import { at, root } from './setup/root.mjs';

export const suiteNames = jestConfig.projects.map(({ displayName }) => displayName);

/** The marker that test/support/skipped.ts puts between a title and its reason: skip with it. */
const REASON = ' — skipped: ';

/** What a part of the run came to. `notes` are the failures that no test stands for. @typedef {{ passed: number, failed: number, skips: string[], notes: string[] }} Tally */
/** The part of jest's report that is read here. @typedef {{ numPassedTests: number, numFailedTests: number, testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] }} Report */

/** Runs a suite and counts it. A file that does not load, a skip without a reason and a suite without a run are failures. @param {string} name @returns {Promise<Tally>} */
export async function runSuite(name) {
  const file = at('.setup', `report-${name}-${process.pid}.json`);
  mkdirSync(at('.setup'), { recursive: true });
  const code = await jest(name, file);
  if (!existsSync(file)) return failure(`${name}: jest did not come to a report (exit ${code})`);
  /** @type {Report} */
  const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const skips = tests.filter(({ status }) => !/passed|failed/.test(status)).map(({ fullName }) => fullName);
  const notes = [
    ...testResults.filter(isBroken).map(({ name: file }) => `${file} did not run`),
    ...skips.filter(title => !title.includes(REASON)).map(title => `skipped without a reason: ${title}`),
  ];
  if (passed + numFailedTests + notes.length === 0) notes.push('no test ran');
  if (code !== 0 && numFailedTests + notes.length === 0)
    notes.push(`jest ended with exit ${code} though no test failed`);
  return {
    passed,
    failed: numFailedTests + notes.length,
    skips: skips.filter(title => title.includes(REASON)).map(title => `${name}: ${title}`),
    notes: notes.map(note => `${name}: ${note}`),
  };
}

/** @param {Report['testResults'][number]} file */
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && !assertionResults.some(test => test.status === 'failed');

/** @param {string} note @returns {Tally} */
export const failure = note => ({ passed: 0, failed: 1, skips: [], notes: [note] });

/** @param {string} name @param {string} report the file for it @returns {Promise<number | null>} */
function jest(name, report) {
  const program = at('node_modules', 'jest', 'bin', 'jest.js');
  // A failed test may leave a server open: the run must end all the same, and say what failed.
  const args = [program, '--selectProjects', name, '--forceExit', '--json', '--outputFile', report];
  // These tests mostly wait: two files at a time, also on more cores.
  if (['e2e', 'runs'].includes(name)) args.push('--maxWorkers', '2');
  // What jest prints for people goes to stderr. Programs that tests start would colour what the tests read.
  const { FORCE_COLOR, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise(resolve => child.on('close', resolve));
}
