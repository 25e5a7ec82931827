import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { environmentFor } from '../engine/engine.mjs';
import { readEngines } from '../engine/engines-file.mjs';
import { at } from '../setup/root.mjs';
import { endAllOf } from './end-all-of.mjs';

/**
 * Runs a command beside a simulated cluster and gives its exit code; without a command, a shell. The cluster is gone
 * when this ends, also after an interrupt; with `endsWithUs` so is the command, with all that it started.
 * @param {string[]} command
 */
export async function runSimulated(command, { endsWithUs = false } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'cdktf-proxmox-demo-'));
  let interrupted = false;
  const interrupt = () => {
    if (!interrupted) console.log('\nInterrupted: ending what runs, and leaving nothing behind.');
    interrupted = true;
    void endAllOf(folder);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, interrupt);
  try {
    const env = environmentOf(await startCluster(folder), folder);
    if (interrupted) return 130;
    const [program = process.env.SHELL ?? 'sh', ...args] = command;
    if (command.length === 0)
      console.log(`A simulated Proxmox cluster is at ${env.PVE_ENDPOINT} until you exit this shell.`);
    const settings = endsWithUs ? marked(folder, env) : { env };
    const [code, signal] = await once(spawn(program, args, { ...settings, stdio: 'inherit' }), 'close');
    if (interrupted && endsWithUs) return 130;
    return code ?? (signal === 'SIGINT' ? 130 : 143);
  } catch (error) {
    if (interrupted) return 130;
    throw error;
  } finally {
    await endAllOf(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * By its TMPDIR a process is known as ours. In a group of its own, Ctrl-C reaches us alone.
 * @param {string} folder @param {NodeJS.ProcessEnv} env
 */
const marked = (folder, env) => ({ cwd: folder, env: { ...env, TMPDIR: folder }, detached: true });

/** @param {string} folder @returns {Promise<Record<'url' | 'caFile' | 'tokenId' | 'tokenSecret', string>>} how it is reached */
async function startCluster(folder) {
  const { stdout } = spawn(process.execPath, [at('dist', 'simulator.cjs'), '--nodes', '3'], {
    ...marked(folder, process.env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: stdout })) return JSON.parse(line);
  throw new Error('The simulator ended before it listened.');
}

/** @param {Awaited<ReturnType<typeof startCluster>>} cluster @param {string} folder @returns {NodeJS.ProcessEnv} */
function environmentOf({ url, caFile, tokenId, tokenSecret }, folder) {
  const [engine] = readEngines().present;
  if (!engine) throw new Error('The set-up found an engine, but none is in .engine/engines.json.');
  const cdktf = at('.engine', 'cdktf-cli', 'node_modules', '.bin');
  return {
    ...environmentFor(engine),
    PVE_ENDPOINT: url,
    PVE_CA_BUNDLE: caFile,
    PVE_TOKEN_ID: tokenId,
    PVE_TOKEN_SECRET: tokenSecret,
    // For fetch; the reconciler has its own setting.
    NODE_EXTRA_CA_CERTS: caFile,
    CHECKPOINT_DISABLE: '1',
    PATH: [
      commandsIn(path.join(folder, 'bin'), engine.path),
      cdktf,
      path.dirname(engine.path),
      process.env.PATH,
    ].join(path.delimiter),
  };
}

/** Our two programs under their names, and the engine as terraform, also where it is tofu. @param {string} folder @param {string} engine */
function commandsIn(folder, engine) {
  mkdirSync(folder);
  symlinkSync(engine, path.join(folder, 'terraform'));
  for (const name of ['reconciler', 'simulator']) {
    const text = `#!/bin/sh\nexec "${process.execPath}" "${at('dist', `${name}.cjs`)}" "$@"\n`;
    writeFileSync(path.join(folder, `pve-${name}`), text, { mode: 0o755 });
  }
  return folder;
}
