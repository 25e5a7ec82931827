import { rmSync } from 'node:fs';
import { cdktfCli } from '../engine/cdktf-cli.mjs';
import { engines } from '../engine/engines-file.mjs';
import { providers } from '../engine/providers.mjs';
import { isTofuWanted, tofu } from '../engine/tofu.mjs';
import { build } from './build.mjs';
import { withLock } from './lock.mjs';
import { dependencies } from './npm.mjs';
import { at } from './root.mjs';
import { say, SetUpError } from './say.mjs';
import { bringUpToDate } from './step.mjs';

/** What a command may ask for: the steps that bring each part about, in order. */
const parts = {
  dependencies: () => [dependencies],
  build: () => [dependencies, build],
  engine: () => (isTofuWanted() ? [tofu, providers, engines] : [providers, engines]),
  'cdktf-cli': () => [cdktfCli],
};
/** @typedef {keyof typeof parts} Part */
export const partNames = /** @type {Part[]} */ (Object.keys(parts));

/**
 * Brings the parts about, or finds them in place. May be called again at any time, also by two processes at once and
 * after one was killed. False, with the reason told, when it could not.
 * @param {Part[]} wanted
 */
export async function setUp(wanted = partNames) {
  const started = Date.now();
  const work = at('.engine', 'work');
  try {
    const did = await withLock(async () => {
      rmSync(work, { recursive: true, force: true });
      let count = 0;
      for (const step of new Set(wanted.flatMap(part => parts[part]())))
        if (await bringUpToDate(step)) count += 1;
      rmSync(work, { recursive: true, force: true });
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
