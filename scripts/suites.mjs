import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import jestConfig from '../jest.config.cjs';
import { at, root } from './setup/root.mjs';

export const suiteNames = jestConfig.projects.map(({ displayName }) => displayName);

/** The marker that test/support/skipped.ts puts between a title and its reason: skip with it. */
const REASON = ' — skipped: ';

/**
 * Suites of processes and waits, with the files that run at once for each processor: a file that waits leaves it to
 * another. Beside others, on a busy machine, one of their files may fail for lack of time.
 * @type {Record<string, number>}
 */
const patient = { runs: 2.5, e2e: 2 };
/** So many failed files are run once more, alone. More of them are no accident. */
const FILES_AGAIN = 3;
/** In these files, what fails beside others may be the fault that they look for: none of them has a second chance. */
const STRICT = /[\\/](crash|faults|concurrent)[\\/]/;

/** What a part of the run came to. `notes` are the failures that no test stands for, `unsteady` the files that failed first and passed alone. @typedef {{ passed: number, failed: number, skips: string[], notes: string[], unsteady: string[] }} Tally */
/** The part of jest's report that is read here. @typedef {{ name: string, status: string, assertionResults: { status: string, fullName: string }[] }} File */

/**
 * Runs a suite and counts it. A file that does not load, a skip without a reason and a suite without a run are failures.
 * `since`: only what differs from this branch. @param {string} name @param {string} [since] @returns {Promise<Tally>}
 */
export async function runSuite(name, since) {
  const atOnce = patient[name] && Math.floor(patient[name] * availableParallelism());
  const wide = atOnce ? ['--maxWorkers', String(Math.max(2, atOnce))] : [];
  const part = since === undefined ? [] : ['--changedSince', since, '--passWithNoTests'];
  let { code, files } = await jest(name, [...wide, ...part]);
  if (!files) return failure(`${name}: jest did not come to a report (exit ${code})`);
  /** @type {string[]} */
  let unsteady = [];
  const failed = files.filter(hasFailed).map(relative);
  if (
    atOnce &&
    failed.length > 0 &&
    failed.length <= FILES_AGAIN &&
    !failed.some(file => STRICT.test(file))
  ) {
    console.log(`${name}: once more, alone: ${failed.join(', ')}`);
    const again = await jest(name, ['--maxWorkers', '1', '--runTestsByPath', ...failed]);
    if (again.files) {
      code = again.code;
      files = [...files.filter(file => !hasFailed(file)), ...again.files];
      unsteady = again.files.filter(file => !hasFailed(file)).map(relative);
    }
  }
  if (since !== undefined && code === 0 && files.length === 0) return NOTHING;
  return tally(name, files, code, unsteady);
}

/** @param {string} name @param {File[]} files @param {number | null} code @param {string[]} unsteady @returns {Tally} */
function tally(name, files, code, unsteady) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const count = (/** @type {string} */ status) => tests.filter(test => test.status === status).length;
  const broken = files.filter(file => hasFailed(file) && !file.assertionResults.some(hasFailed));
  const skips = tests.filter(({ status }) => !/passed|failed/.test(status)).map(({ fullName }) => fullName);
  const notes = [
    ...broken.map(({ name: file }) => `${file} did not run`),
    ...skips.filter(title => !title.includes(REASON)).map(title => `skipped without a reason: ${title}`),
  ];
  const [passed, failed] = [count('passed'), count('failed')];
  if (passed + failed + notes.length === 0) notes.push('no test ran');
  if (code !== 0 && failed + notes.length === 0)
    notes.push(`jest ended with exit ${code} though no test failed`);
  return {
    passed,
    failed: failed + notes.length,
    skips: skips.filter(title => title.includes(REASON)).map(title => `${name}: ${title}`),
    notes: notes.map(note => `${name}: ${note}`),
    unsteady: unsteady.map(file => `${name}: ${file}`),
  };
}

/** @param {File} file */
const relative = ({ name }) => path.relative(root, name);

/** @param {{ status: string }} fileOrTest */
const hasFailed = ({ status }) => status === 'failed';

/** @type {Tally} */
const NOTHING = { passed: 0, failed: 0, skips: [], notes: [], unsteady: [] };

/** @param {string} note @returns {Tally} */
export const failure = note => ({ ...NOTHING, failed: 1, notes: [note] });

/** @param {string} name @param {string[]} more @returns {Promise<{ code: number | null, files?: File[] }>} */
async function jest(name, more) {
  const report = at('.setup', `report-${name}-${process.pid}.json`);
  mkdirSync(at('.setup'), { recursive: true });
  const program = at('node_modules', 'jest', 'bin', 'jest.js');
  // A failed test may leave a server open: the run must end all the same, and say what failed.
  const args = [program, '--selectProjects', name, '--forceExit', '--json', '--outputFile', report, ...more];
  // What jest prints for people goes to stderr. Programs that tests start would colour what the tests read.
  const { FORCE_COLOR, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  /** @type {number | null} */
  const code = await new Promise(resolve => child.on('close', resolve));
  if (!existsSync(report)) return { code };
  const { testResults: files } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  return { code, files };
}
