import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { environmentFor } from '../engine/engine.mjs';
import { readEngines } from '../engine/engines-file.mjs';
import { at } from '../setup/root.mjs';
import { endAllOf } from './end-all-of.mjs';
import { greeting } from './greeting.mjs';
import { openPage } from './open-page.mjs';

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
    const env = await environmentBesideCluster(folder);
    if (interrupted) return 130;
    const [program = process.env.SHELL ?? 'sh', ...args] = command;
    if (command.length === 0) {
      console.log(await greeting(env));
      openPage(`${env.PVE_ENDPOINT}/_sim/`);
    }
    const settings = endsWithUs ? ours(folder, env) : { env };
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

/** By its TMPDIR a process is known as ours, and it keeps nothing elsewhere. In a group of its own, Ctrl-C reaches us alone. @param {string} folder @param {NodeJS.ProcessEnv} env */
const ours = (folder, env) => ({
  cwd: folder,
  env: { ...env, TMPDIR: folder, XDG_CACHE_HOME: folder },
  detached: true,
});

/** Starts the cluster, and gives what a program needs to reach it and to run our commands. @param {string} folder @returns {Promise<NodeJS.ProcessEnv>} */
async function environmentBesideCluster(folder) {
  const [engine] = readEngines().present;
  if (!engine) throw new Error('The set-up found an engine, but none is in .engine/engines.json.');
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const commands = {
    node: process.execPath,
    [engine.name]: engine.path,
    terraform: engine.path, // also where it is tofu
    cdktf: at('.engine', 'cdktf-cli', 'node_modules', '.bin', 'cdktf'),
    'pve-reconciler': at('dist', 'reconciler.cjs'),
    'pve-simulator': at('dist', 'simulator.cjs'),
  };
  for (const [name, target] of Object.entries(commands)) symlinkSync(target, path.join(bin, name));
  const env = { ...environmentFor(engine), CHECKPOINT_DISABLE: '1', PATH: `${bin}:${process.env.PATH}` };
  /** @type {['ignore', 'pipe', 'inherit']} */
  const stdio = ['ignore', 'pipe', 'inherit'];
  const { stdout } = spawn(at('dist', 'simulator.cjs'), ['--nodes', '3'], { ...ours(folder, env), stdio });
  for await (const line of createInterface({ input: stdout })) {
    const { url, caFile, tokenId, tokenSecret } = JSON.parse(line);
    const token = { PVE_TOKEN_ID: tokenId, PVE_TOKEN_SECRET: tokenSecret };
    // the last one for fetch
    return { ...env, PVE_ENDPOINT: url, ...token, PVE_CA_BUNDLE: caFile, NODE_EXTRA_CA_CERTS: caFile };
  }
  throw new Error('The simulator ended before it listened.');
}
