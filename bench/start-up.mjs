// @ts-check
// What the program costs over an empty script of node, until it fails on its configuration. Both run in turn.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const RUNS = 20;
const program = fileURLToPath(new URL('../dist/reconciler.cjs', import.meta.url));
const input = JSON.stringify({ protocol: '1', cluster: JSON.stringify({ name: 'lab' }), owner: 'bench' });

/** @param {string[]} args */
function milliseconds(args) {
  const started = performance.now();
  spawnSync(process.execPath, args, { input, env: { PATH: process.env.PATH, PVE_RUN: 'alone' } });
  return performance.now() - started;
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** @type {number[]} */
const empty = [];
/** @type {number[]} */
const observe = [];
for (let run = 0; run < RUNS; run += 1) {
  empty.push(milliseconds(['-e', '0']));
  observe.push(milliseconds([program, 'observe']));
}
const [base, ours] = [median(empty), median(observe)];
console.log(
  `empty script ${base.toFixed(0)} ms, observe ${ours.toFixed(0)} ms, difference ${(ours - base).toFixed(0)} ms`,
);
console.log(`fastest: ${Math.min(...empty).toFixed(0)} and ${Math.min(...observe).toFixed(0)} ms`);
