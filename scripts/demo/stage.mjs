// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programs } from './programs.mjs';

/** @typedef {ReturnType<typeof stage>} Stage */

const endings = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** A folder of its own and the processes of the tour. Its end removes and ends them all, also after an interrupt. */
export function stage() {
  const folder = mkdtempSync(path.join(tmpdir(), 'cdktf-proxmox-demo-'));
  const { start, run, endAll, allEnded } = programs(folder);
  const unlessInterrupted = () => {
    if (scene.interrupted) throw new Error('interrupted');
  };
  const scene = {
    folder,
    interrupted: false,
    /** @type {typeof start} */
    start(...given) {
      unlessInterrupted();
      return start(...given);
    },
    /** @type {typeof run} */
    async run(...given) {
      unlessInterrupted();
      await run(...given);
    },
    /** Ends what runs and removes the folder; all is gone when it is done. */
    async end() {
      endAll();
      await allEnded();
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
