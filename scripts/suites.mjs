import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import jestConfig from '../jest.config.cjs';
import { at, root } from './setup/root.mjs';

export const suiteNames = jestConfig.projects.map(({ displayName }) => displayName);

/** The marker that test/support/skipped.ts puts between a title and its reason. */
const REASON = ' — skipped: ';

/** What a part of the run came to. `notes` are the failures that no test stands for. @typedef {{ passed: number, failed: number, skips: string[], notes: string[] }} Tally */
/** The part of jest's report that is read here. @typedef {{ numPassedTests: number, numFailedTests: number, testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] }} Report */

/** Runs a suite and counts it. A file that does not load, a skip without a reason and a suite without a run are failures. @param {string} name @returns {Promise<Tally>} */
export async function runSuite(name) {
  const file = at('.setup', `report-${name}-${process.pid}.json`);
  mkdirSync(at('.setup'), { recursive: true });
  const code = await jest(name, file);
  if (!existsSync(file)) return failure(`${name}: jest did not come to a report (exit ${code})`);
  const tally = tallyOf(name, JSON.parse(readFileSync(file, 'utf8')));
  rmSync(file);
  if (code === 0 || tally.failed > 0) return tally;
  return {
    ...tally,
    ...failure(`${name}: jest ended with exit ${code} though no test failed`),
    passed: tally.passed,
  };
}

/** @param {string} note @returns {Tally} */
export const failure = note => ({ passed: 0, failed: 1, skips: [], notes: [note] });

/** @param {string} suite @param {Report} report @returns {Tally} */
function tallyOf(suite, { numPassedTests: passed, numFailedTests, testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const skips = tests.filter(({ status }) => !/passed|failed/.test(status)).map(({ fullName }) => fullName);
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some(one => one.status === 'failed'),
  );
  const silent = skips.filter(title => !title.includes(REASON));
  const notes = [
    ...broken.map(file => `${file.name} did not run`),
    ...silent.map(title => `skipped without a reason (skip with test/support/skipped.ts): ${title}`),
  ];
  if (passed + numFailedTests + broken.length === 0) notes.push('no test ran');
  return {
    passed,
    failed: numFailedTests + notes.length,
    skips: skips.filter(title => title.includes(REASON)).map(title => `${suite}: ${title}`),
    notes: notes.map(note => `${suite}: ${note}`),
  };
}

/** @param {string} name @param {string} report the file for it @returns {Promise<number | null>} */
function jest(name, report) {
  // These tests mostly wait: two files at a time, also on more cores.
  const workers = ['e2e', 'runs'].includes(name) ? ['--maxWorkers', '2'] : [];
  // A failed test may leave a server open: the run must end all the same, and say what failed.
  const args = ['--selectProjects', name, '--forceExit', ...workers, '--json', '--outputFile', report];
  // What jest prints for people goes to stderr. Programs that tests start would colour what the tests read.
  const { FORCE_COLOR, ...env } = process.env;
  const program = at('node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise(resolve => child.on('close', resolve));
}
