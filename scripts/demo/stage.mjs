// @ts-check
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endTree } from './process-tree.mjs';

/** @typedef {ReturnType<typeof stage>} Stage */
/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv }} Settings */

const endings = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** A folder of its own and the processes of the tour. Its end removes and ends them all, also after an interrupt. */
export function stage() {
  const folder = mkdtempSync(path.join(tmpdir(), 'cdktf-proxmox-demo-'));
  /** @type {Map<import('node:child_process').ChildProcess, Promise<number | null>>} */
  const running = new Map();
  const endAll = () => {
    for (const { pid } of running.keys()) if (pid !== undefined) endTree(pid);
  };
  const scene = {
    folder,
    interrupted: false,
    /** Starts a program of ours that lives as long as the tour. @param {string[]} args @param {Settings} settings */
    start(args, settings = {}) {
      if (scene.interrupted) throw new Error('interrupted');
      // In a group of its own: Ctrl-C reaches the tour alone, which then ends the whole tree.
      const child = spawn(process.execPath, args, {
        ...settings,
        // What it writes for itself goes with the folder.
        env: { ...(settings.env ?? process.env), TMPDIR: folder },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise(resolve => child.on('close', resolve));
      running.set(child, ended);
      void ended.then(() => running.delete(child));
      return child;
    },
    /** Runs a program to its end; each line that it prints goes to `onLine`. Throws when it fails. @param {string[]} args @param {Settings} settings @param {(line: string) => void} onLine */
    async run(args, settings, onLine) {
      const child = scene.start(args, settings);
      /** @type {string[]} */
      const lines = [];
      for (const stream of [child.stdout, child.stderr]) {
        if (!stream) continue;
        createInterface({ input: stream }).on('line', line => {
          lines.push(line);
          onLine(line);
        });
      }
      const code = await running.get(child);
      if (code === 0) return;
      const command = [path.basename(args[0] ?? ''), ...args.slice(1)].join(' ');
      throw new Error(`${lines.join('\n')}\n${command} ended with ${code}`);
    },
    /** Ends what runs and removes the folder; all is gone when it is done. */
    async end() {
      endAll();
      await Promise.all(running.values());
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      for (const name of endings) process.off(name, interrupt);
    },
  };
  function interrupt() {
    if (!scene.interrupted) console.log('\nInterrupted: ending what runs, and leaving nothing behind.');
    scene.interrupted = true;
    endAll();
  }
  for (const name of endings) process.on(name, interrupt);
  return scene;
}
