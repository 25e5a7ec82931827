// @ts-check
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** @typedef {ReturnType<typeof stage>} Stage */
/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, shown?: boolean }} Settings */

/** A folder of its own and the processes of the tour. Its end removes and ends them all, also after an interrupt. */
export function stage() {
  const folder = mkdtempSync(path.join(tmpdir(), 'cdktf-proxmox-demo-'));
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const running = new Set();
  const scene = {
    folder,
    interrupted: false,
    /** Starts a program of ours that lives as long as the tour. @param {string[]} args @param {Settings} settings */
    start(args, settings = {}) {
      const child = spawn(process.execPath, args, { ...settings, stdio: ['ignore', 'pipe', 'pipe'] });
      running.add(child);
      child.on('close', () => running.delete(child));
      return child;
    },
    /** Runs a program to its end; what it printed is shown when it failed, or when asked. @param {string[]} args @param {Settings} settings */
    async run(args, { shown = false, ...settings } = {}) {
      if (scene.interrupted) throw new Error('interrupted');
      const child = scene.start(args, settings);
      let text = '';
      const collect = (/** @type {Buffer} */ chunk) => (text += chunk.toString());
      child.stdout?.on('data', collect);
      child.stderr?.on('data', collect);
      const code = await new Promise(resolve => child.on('close', resolve));
      if (scene.interrupted) throw new Error('interrupted');
      if (shown || code !== 0) process.stdout.write(text);
      if (code !== 0)
        throw new Error(`${path.basename(args[0] ?? '')} ${args.slice(1).join(' ')} ended with ${code}`);
    },
    end() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      for (const child of running) child.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  function interrupt() {
    scene.interrupted = true;
    console.log('\nInterrupted: ending what runs, and leaving nothing behind.');
    for (const child of running) child.kill('SIGTERM');
  }
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return scene;
}
