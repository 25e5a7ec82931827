import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { environmentFor } from '../engine/engine.mjs';
import { readEngines } from '../engine/engines-file.mjs';
import { at } from '../setup/root.mjs';
import { endAllOf } from './end-all-of.mjs';
import { greeting } from './greeting.mjs';
import { openPage } from './open-page.mjs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** So long a command may take to end after a signal; a shell that waits for a line hears none but the last one. */
const GRACE_MS = 5000;

/**
 * Runs a command beside a simulated cluster and gives its exit code; without a command, a shell. The cluster is gone
 * when this ends, also after an interrupt, and so is the command; with `endsWithUs` also all that it started.
 * @param {string[]} command
 */
export async function runSimulated(command, { endsWithUs = false } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'cdktf-proxmox-demo-'));
  /** @type {number | undefined} */
  let interrupted;
  /** @type {ChildProcess | undefined} */
  let running;
  const interrupt = (/** @type {NodeJS.Signals} */ signal) => {
    if (!interrupted) console.log('\nInterrupted: ending what runs, and leaving nothing behind.');
    interrupted ??= endsWithUs ? 130 : 128 + constants.signals[signal];
    if (running) passOn(running, signal);
    void endAllOf(folder);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, interrupt);
  try {
    const env = await environmentBesideCluster(folder);
    if (interrupted) return interrupted;
    const [program = process.env.SHELL ?? 'sh', ...args] = command;
    if (command.length === 0) {
      console.log(await greeting(env));
      openPage(`${env.PVE_ENDPOINT}/_sim/`);
    }
    const settings = endsWithUs ? ours(folder, env) : { env };
    running = spawn(program, args, { ...settings, stdio: 'inherit' });
    const code = await codeOf(running, program);
    return interrupted ?? code;
  } catch (error) {
    if (interrupted) return interrupted;
    throw error;
  } finally {
    await endAllOf(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The exit code of what runs, as a shell tells it: also of what cannot be started, with the reason in a line. @param {ChildProcess} running @param {string} program @returns {Promise<number>} */
async function codeOf(running, program) {
  try {
    const [code, signal] = await once(running, 'close');
    return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const why = code === 'ENOENT' ? 'there is no such program on PATH' : `the system says ${code}`;
    console.error(`${program} was not started: ${why}. Name a program, or none for a shell.`);
    return code === 'ENOENT' ? 127 : 126;
  }
}

/** Passes a signal on, and does not wait for ever. @param {ChildProcess} running @param {NodeJS.Signals} signal */
function passOn(running, signal) {
  // Ctrl-C reaches all programs of a terminal by itself: a second one at once would end Terraform in the midst of its work
  const later = signal === 'SIGINT' ? GRACE_MS : 0;
  if (later === 0) running.kill(signal);
  else setTimeout(() => running.kill('SIGTERM'), later).unref();
  setTimeout(() => running.kill('SIGKILL'), later + GRACE_MS).unref();
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
