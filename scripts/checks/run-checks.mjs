// @ts-check
import { spawn } from 'node:child_process';
import { at, root } from '../setup/root.mjs';

/** @typedef {import('./static-checks.mjs').Check} Check */

/** Runs the checks two at a time, tells each result as it comes, and gives the number that failed. @param {Check[]} checks */
export async function runChecks(checks) {
  const queue = [...checks];
  let failed = 0;
  const worker = async () => {
    for (let check = queue.shift(); check; check = queue.shift()) if (!(await passes(check))) failed += 1;
  };
  await Promise.all([worker(), worker()]);
  return failed;
}

/** @param {Check} check @returns {Promise<boolean>} */
function passes({ name, command: [tool = '', ...args], remedy }) {
  const started = Date.now();
  const program = tool === 'node' ? process.execPath : at('node_modules', '.bin', tool);
  const child = spawn(program, args, { cwd: root, env: withoutColor(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', chunk => (output += chunk));
  child.stderr.on('data', chunk => (output += chunk));
  return new Promise(resolve => {
    child.on('error', error => (output += error.message));
    child.on('close', code => {
      const took = `${((Date.now() - started) / 1000).toFixed(1)} s`;
      console.log(
        code === 0 ? `ok    ${name} ${took}` : `${output.trimEnd()}\nFAIL  ${name} ${took}: ${remedy}`,
      );
      resolve(code === 0);
    });
  });
}

/** Some tools colour what they print into a pipe when CI or FORCE_COLOR is set; it is read by programs too. */
function withoutColor() {
  const { FORCE_COLOR, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1' };
}
