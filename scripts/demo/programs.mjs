// @ts-check
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endTree } from './process-tree.mjs';

/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv }} Settings */

/** Programs of ours that live no longer than the tour. What they write for themselves goes into the folder. @param {string} folder */
export function programs(folder) {
  /** @type {Map<import('node:child_process').ChildProcess, Promise<number | null>>} */
  const running = new Map();
  /** Starts a program. @param {string[]} args @param {Settings} settings */
  const start = (args, settings = {}) => {
    const child = spawn(process.execPath, args, {
      ...settings,
      env: { ...(settings.env ?? process.env), TMPDIR: folder },
      // In a group of its own: Ctrl-C reaches the tour alone, which then ends the whole tree.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise(resolve => child.on('close', resolve));
    running.set(child, ended);
    void ended.then(() => running.delete(child));
    return child;
  };
  return {
    start,
    /** Runs a program to its end; each line that it prints goes to `onLine`. Throws when it fails. @param {string[]} args @param {Settings} settings @param {(line: string) => void} onLine */
    async run(args, settings, onLine) {
      const child = start(args, settings);
      /** @type {string[]} */
      const lines = [];
      for (const stream of [child.stdout, child.stderr]) {
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
    /** Ends all that run, and what they started. */
    endAll() {
      for (const { pid } of running.keys()) if (pid !== undefined) endTree(pid);
    },
    /** Waits until none runs. */
    allEnded: () => Promise.all(running.values()),
  };
}
