// Runs other programs: their output goes to a log, and whoever waits hears from them now and then.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { holdFor } from './lock.mjs';
import { at, root } from './root.mjs';
import { say, SetUpError } from './say.mjs';

/**
 * The log is `.setup/logs/<name>.log`; the remedy completes the sentence "… failed: ".
 * @typedef {{ name: string, cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, remedy: string }} CommandOptions
 */

/** Runs a program to its end, under the lock, and gives its stdout; shows the end of its log and throws when it fails. @param {string} program @param {string[]} args @param {CommandOptions} options */
export async function run(program, args, options) {
  const { ok, stdout } = await finish(program, args, options);
  if (ok) return stdout;
  const log = logOf(options.name);
  process.stderr.write(`${tailOf(log, 20)}\n`);
  throw new SetUpError(`${options.name} failed (all of its output: ${log}): ${options.remedy}`);
}

/** The same for a program that may well fail: says whether it did not. @param {string} program @param {string[]} args @param {CommandOptions} options */
export const succeeds = async (program, args, options) => (await finish(program, args, options)).ok;

/** @param {string} log @param {number} n how many lines */
export const tailOf = (log, n) => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-n).join('\n');

/** @param {string} name */
export const logOf = name => at('.setup', 'logs', `${name.replaceAll(/[^\w.-]+/g, '-')}.log`);

/** @param {string} program @param {string[]} args @param {CommandOptions} options @returns {Promise<{ ok: boolean, stdout: string }>} */
function finish(program, args, { name, cwd = root, env = process.env, timeoutMs: timeout }) {
  const log = logOf(name);
  mkdirSync(path.dirname(log), { recursive: true });
  const sink = openSync(log, 'w');
  const started = Date.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', sink], timeout });
  const letGo = child.pid === undefined ? () => {} : holdFor(child.pid, name);
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
      letGo();
      resolve({ ok: code === 0, stdout });
    });
  });
}

/** Where a program is, as the shell finds it. @param {string} name */
export function findOnPath(name) {
  const found = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  return path.isAbsolute(found) ? found : undefined;
}
