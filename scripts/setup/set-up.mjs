// @ts-check
import { rmSync } from 'node:fs';
import { build } from './build.mjs';
import { cdktfCli } from '../engine/cdktf-cli.mjs';
import { dependencies } from './dependencies.mjs';
import { engines } from '../engine/engines-file.mjs';
import { withLock } from './lock.mjs';
import { providers } from '../engine/providers.mjs';
import { at } from './root.mjs';
import { say, SetUpError } from './say.mjs';
import { bringUpToDate } from './step.mjs';
import { isTofuWanted, tofu } from '../engine/tofu.mjs';
import { endOfOrphans } from './workers.mjs';

/** What a command may ask for. */
export const partNames = /** @type {const} */ (['dependencies', 'build', 'engine', 'cdktf-cli']);
/** @typedef {(typeof partNames)[number]} Part */

/** The steps that bring each part about, in order. @type {Record<Part, () => import('./step.mjs').Step[]>} */
const parts = {
  dependencies: () => [dependencies],
  build: () => [dependencies, build],
  engine: () => (isTofuWanted() ? [tofu, providers, engines] : [providers, engines]),
  'cdktf-cli': () => [cdktfCli],
};

/**
 * Brings the parts about, or finds them in place. May be called again at any time, also by two processes at once and
 * after one was killed. False, with the reason told, when it could not.
 * @param {Part[]} wanted
 */
export async function setUp(wanted) {
  const started = Date.now();
  try {
    const did = await withLock(async () => {
      await endOfOrphans();
      rmSync(at('.engine', 'work'), { recursive: true, force: true });
      let count = 0;
      for (const step of new Set(wanted.flatMap(part => parts[part]())))
        if (await bringUpToDate(step)) count += 1;
      rmSync(at('.engine', 'work'), { recursive: true, force: true });
      return count;
    });
    say(`${did === 0 ? 'all in place' : 'ready'} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    process.stderr.write(`set-up stopped: ${error.message}\n`);
    return false;
  }
}
