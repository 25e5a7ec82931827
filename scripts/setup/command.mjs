// @ts-check
// Runs other programs: their output goes to a log, and whoever waits hears from them now and then.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { recordWorker } from './workers.mjs';
import { at } from './root.mjs';
import { say, SetUpError } from './say.mjs';

/**
 * @typedef {object} CommandOptions
 * @property {string} name of the log, `.setup/logs/<name>.log`
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [timeoutMs]
 * @property {string} remedy what to do when it fails; completes the sentence "… failed: "
 */

/**
 * Runs one program to its end and gives its stdout.
 * Throws a SetUpError, after showing the end of the log, when it fails.
 * @param {string} program @param {string[]} args @param {CommandOptions} options @returns {Promise<string>}
 */
export async function run(program, args, options) {
  const log = logOf(options.name);
  const outcome = await finish(program, args, options, log);
  if (outcome.ok) return outcome.stdout;
  process.stderr.write(`${tailOf(log, 20)}\n`);
  throw new SetUpError(`${options.name} failed (all of its output: ${log}): ${options.remedy}`);
}

/** The same for a program that may well fail: says whether it did not. @param {string} program @param {string[]} args @param {CommandOptions} options */
export async function succeeds(program, args, options) {
  return (await finish(program, args, options, logOf(options.name))).ok;
}

/** The last lines of a command's log. @param {string} log @param {number} lines */
export const tailOf = (log, lines) =>
  readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');

/** @param {string} name */
export const logOf = name => at('.setup', 'logs', `${name.replaceAll(/[^\w.-]+/g, '-')}.log`);

/**
 * @param {string} program @param {string[]} args @param {CommandOptions} options @param {string} log
 * @returns {Promise<{ ok: boolean, stdout: string }>}
 */
function finish(program, args, { name, cwd, env = process.env, timeoutMs }, log) {
  mkdirSync(path.dirname(log), { recursive: true });
  const sink = openSync(log, 'w');
  const started = Date.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', sink], timeout: timeoutMs });
  const forget = child.pid === undefined ? () => {} : recordWorker(child.pid, name);
  const ticker = setInterval(() => {
    const line = tailOf(log, 1).slice(0, 100);
    say(`  ${name}: ${Math.round((Date.now() - started) / 1000)} s${line ? `, last: ${line}` : ''}`);
  }, 15_000);
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', text => {
    stdout += text;
    writeSync(sink, text);
  });
  return new Promise(resolve => {
    child.on('error', error => writeSync(sink, `${error.message}\n`));
    child.on('close', code => {
      clearInterval(ticker);
      closeSync(sink);
      forget();
      resolve({ ok: code === 0, stdout });
    });
  });
}
