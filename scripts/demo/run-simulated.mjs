// @ts-check
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { environmentFor } from '../engine/engine.mjs';
import { readEngines } from '../engine/engines-file.mjs';
import { at } from '../setup/root.mjs';
import { stage } from './stage.mjs';
import { startCluster } from './start-cluster.mjs';

/** Runs a command beside a simulated cluster and gives its exit code; without a command, a shell. @param {string[]} command */
export async function runSimulated(command) {
  const [engine] = readEngines().present;
  if (!engine) throw new Error('The set-up found an engine, but none is in .engine/engines.json.');
  const scene = stage();
  try {
    const { access, url } = await startCluster(scene);
    const [program = process.env.SHELL ?? 'sh', ...args] = command;
    if (command.length === 0)
      console.log(`A simulated Proxmox cluster is at ${url} until you exit this shell.`);
    const bin = commandsIn(path.join(scene.folder, 'bin'), engine.path);
    const env = {
      ...environmentFor(engine),
      ...access,
      CHECKPOINT_DISABLE: '1',
      PATH: [
        bin,
        at('.engine', 'cdktf-cli', 'node_modules', '.bin'),
        path.dirname(engine.path),
        process.env.PATH,
      ].join(path.delimiter),
    };
    const child = spawn(program, args, { env, stdio: 'inherit' });
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
    });
  } finally {
    await scene.end();
  }
}

/** Our two programs under their names, and the engine as terraform, also where it is tofu.
 * @param {string} folder @param {string} engine */
function commandsIn(folder, engine) {
  mkdirSync(folder);
  symlinkSync(engine, path.join(folder, 'terraform'));
  for (const name of ['reconciler', 'simulator']) {
    const file = path.join(folder, `pve-${name}`);
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${at('dist', `${name}.cjs`)}" "$@"\n`);
    chmodSync(file, 0o755);
  }
  return folder;
}
