// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { environmentFor } from '../setup/engine.mjs';
import { readEngines } from '../setup/engines-file.mjs';
import { synthesize } from './stack.mjs';

/** Shows one stack from code to plan, in a folder that is removed at the end. Gives the exit code. */
export function tour() {
  const engine = readEngines().present[0];
  if (!engine) throw new Error('The set-up found an engine, but none is in .engine/engines.json.');
  const folder = mkdtempSync(path.join(tmpdir(), 'cdktf-proxmox-demo-'));
  try {
    tell('1. A stack, written as code (scripts/demo/stack.mjs), becomes JSON for Terraform:');
    const stack = synthesize(folder);
    console.log(readFileSync(path.join(stack, 'cdk.tf.json'), 'utf8'));

    tell(`2. ${engine.name} ${engine.version} installs the provider the stack asks for:`);
    if (!runs(engine, stack, 'pipe', ['init'])) return 1;
    console.log('done');

    tell(`3. ${engine.name} plans it; nothing is made:`);
    if (!runs(engine, stack, 'inherit', ['plan'])) return 1;

    tell('That is all for now: no machine yet. Nothing was left behind.');
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} text */
const tell = text => console.log(`\n${text}\n`);

/**
 * Runs the engine and says whether it did well. What it printed to a pipe is shown only when it did not.
 * @param {import('../setup/engine.mjs').Engine} engine @param {string} cwd @param {'pipe' | 'inherit'} stdio @param {string[]} args
 */
function runs(engine, cwd, stdio, args) {
  const plain = process.stdout.isTTY ? [] : ['-no-color'];
  const all = [...args, '-input=false', ...plain];
  const outcome = spawnSync(engine.path, all, { cwd, env: environmentFor(engine), stdio, encoding: 'utf8' });
  if (outcome.status !== 0) console.error(`${outcome.stdout ?? ''}${outcome.stderr ?? ''}`);
  return outcome.status === 0;
}
