// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { at, root } from '../setup/root.mjs';
import { reasonMarker, tallyOf } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/** Runs one suite of jest with its progress shown, and counts it from jest's own report. @param {string} name @param {string[]} folders @returns {Promise<Tally>} */
export async function runSuite(name, folders) {
  if (!folders.some(holdsTests))
    return { passed: 0, failed: 0, skips: [`${name}${reasonMarker}no test is written yet`], notes: [] };
  const file = at('.setup', 'reports', `${name}-${process.pid}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  // a failed test may leave a server open: the run must end all the same, and say what failed
  // these tests mostly wait: two files at a time, also on two cores
  const workers = ['e2e', 'runs'].includes(name) ? ['--maxWorkers', '2'] : [];
  const code = await jest([
    '--selectProjects',
    name,
    '--forceExit',
    ...workers,
    '--json',
    '--outputFile',
    file,
  ]);
  if (!existsSync(file)) return oneFailure(`${name}: jest did not come to a report (exit ${code})`);
  const tally = tallyOf(name, JSON.parse(readFileSync(file, 'utf8')));
  rmSync(file);
  if (code === 0 || tally.failed > 0) return tally;
  const note = `${name}: jest ended with exit ${code} though no test failed`;
  return { ...tally, failed: 1, notes: [...tally.notes, note] };
}

/** @param {string} note @returns {Tally} */
export const oneFailure = note => ({ passed: 0, failed: 1, skips: [], notes: [note] });

/** @param {string} folder */
function holdsTests(folder) {
  const place = at('test', folder);
  return (
    existsSync(place) &&
    readdirSync(place, { recursive: true }).some(name => String(name).endsWith('.test.ts'))
  );
}

/** @param {string[]} args @returns {Promise<number | null>} */
function jest(args) {
  const program = at('node_modules', 'jest', 'bin', 'jest.js');
  // The report goes to the file; what jest prints for people goes to stderr.
  // Programs that tests start would colour what the tests read.
  const { FORCE_COLOR, ...env } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env,
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise(resolve => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
}
