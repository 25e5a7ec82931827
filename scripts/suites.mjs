import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import jestConfig from '../jest.config.cjs';
import { at, root } from './setup/root.mjs';

export const suiteNames = jestConfig.projects.map(({ displayName }) => displayName);

/** The marker that test/support/skipped.ts puts between a title and its reason: skip with it. */
const REASON = ' — skipped: ';

/**
 * Suites of processes and waits, with the files that run at once for each processor: a file that waits leaves it to
 * another.
 * @type {Record<string, number>}
 */
const patient = { runs: 2.5, e2e: 2 };
/** Of a suite that did not end by itself. */
const LEFT_OPEN = 'it had to be ended: a test left a server, a timer or a process open';
/** So long a suite may take to end after its report: what it left open keeps it. */
const END_MS = 20_000;

/** What a part of the run came to, its failures and skips in words. @typedef {{ passed: number, failures: string[], skips: string[] }} Tally */
/** The part of jest's report that is read here. @typedef {{ name: string, status: string, assertionResults: { status: string, fullName: string }[] }} File */

/**
 * Runs a suite and counts it. A file that does not load, a skip without a reason and a suite without a run are failures.
 * `since`: only what differs from this branch; `shards`: jest's own flag for a part of the files.
 * @param {string} name @param {string} [since] @param {string[]} [shards] @returns {Promise<Tally>}
 */
export async function runSuite(name, since, shards = []) {
  const atOnce = patient[name] && Math.floor(patient[name] * availableParallelism());
  const wide = atOnce ? ['--maxWorkers', String(Math.max(2, atOnce))] : [];
  const part = since === undefined ? [] : ['--changedSince', since, '--passWithNoTests'];
  const { code, files } = await jest(name, [...wide, ...part, ...shards]);
  if (!files) return failure(`${name}: jest did not come to a report (exit ${code})`);
  if (since !== undefined && code === 0 && files.length === 0) return NOTHING;
  return tally(name, files, code);
}

/** @param {string} name @param {File[]} files @param {number | null} code @returns {Tally} */
function tally(name, files, code) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const skips = tests.filter(({ status }) => !/passed|failed/.test(status)).map(({ fullName }) => fullName);
  const failures = [
    ...files.flatMap(redOf),
    ...skips.filter(title => !title.includes(REASON)).map(title => `skipped without a reason: ${title}`),
  ];
  if (passed + failures.length === 0) failures.push('no test ran');
  if (code !== 0 && failures.length === 0)
    failures.push(code === null ? LEFT_OPEN : `jest ended with exit ${code} though no test failed`);
  return {
    passed,
    failures: failures.map(each => `${name}: ${each}`),
    skips: skips.filter(title => title.includes(REASON)).map(title => `${name}: ${title}`),
  };
}

/** The tests of a file that failed; of a file that did not load, the file. @param {File} file @returns {string[]} */
function redOf(file) {
  const red = file.assertionResults.filter(hasFailed);
  const name = relative(root, file.name);
  if (red.length === 0) return hasFailed(file) ? [`${name} did not run`] : [];
  return red.map(({ fullName }) => `${name}: ${fullName}`);
}

/** @param {{ status: string }} fileOrTest */
const hasFailed = ({ status }) => status === 'failed';

/** @type {Tally} */
const NOTHING = { passed: 0, failures: [], skips: [] };

/** @param {string} why @returns {Tally} */
export const failure = why => ({ ...NOTHING, failures: [why] });

/** @param {string} name @param {string[]} more @returns {Promise<{ code: number | null, files?: File[] }>} */
async function jest(name, more) {
  const report = at('.setup', `report-${name}-${process.pid}.json`);
  mkdirSync(at('.setup'), { recursive: true });
  const program = at('node_modules', 'jest', 'bin', 'jest.js');
  const args = [program, '--selectProjects', name, '--json', '--outputFile', report, ...more];
  // What jest prints for people goes to stderr. Programs that tests start would colour what the tests read.
  const { FORCE_COLOR, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const watch = setInterval(() => {
    if (existsSync(report) && Date.now() - statSync(report).mtimeMs > END_MS) child.kill('SIGKILL');
  }, 1_000);
  /** @type {number | null} Null where it had to be ended: a failure of its own, which tells of what was left open. */
  const code = await new Promise(resolve => child.on('close', resolve));
  clearInterval(watch);
  if (!existsSync(report)) return { code };
  const { testResults: files } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  return { code, files };
}
