import { rmSync } from 'node:fs';
import { bpg } from '../engine/bpg.mjs';
import { cdktfCli } from '../engine/cdktf-cli.mjs';
import { engines } from '../engine/engines-file.mjs';
import { helm } from '../engine/helm.mjs';
import { kubernetes } from '../engine/kubernetes.mjs';
import { providers } from '../engine/providers.mjs';
import { isTofuWanted, tofu } from '../engine/tofu.mjs';
import { build } from './build.mjs';
import { withLock } from './lock.mjs';
import { dependencies } from './npm.mjs';
import { at } from './root.mjs';
import { say, SetUpError } from './say.mjs';
import { sitePackages } from './site-packages.mjs';
import { bringUpToDate } from './step.mjs';

/** What a command may ask for: the steps that bring each part about, in order. */
const parts = {
  dependencies: () => [dependencies],
  build: () => [dependencies, build],
  engine: () => (isTofuWanted() ? [tofu, providers, engines] : [providers, engines]),
  'cdktf-cli': () => [cdktfCli],
  site: () => [sitePackages],
  bpg: () => [providers, engines, bpg],
  kubernetes: () => [kubernetes],
  helm: () => [helm],
};
/** @typedef {keyof typeof parts} Part */
export const partNames = /** @type {Part[]} */ (Object.keys(parts));
/** These take minutes to build, and few files want them; those say so where they are not there. */
const long = ['bpg', 'kubernetes', 'helm'];
export const tested = partNames.filter(name => !long.includes(name));
/** Nobody but the site and its tests needs its packages. */
const usual = tested.filter(name => name !== 'site');

/** Brings the parts about; false, with the reason told, when it cannot. Also twice at once, and after a kill. @param {Part[]} wanted */
export async function setUp(wanted = usual) {
  const started = Date.now();
  const clearWork = () => rmSync(at('.engine', 'work'), { recursive: true, force: true });
  try {
    const did = await withLock(async () => {
      clearWork();
      const done = [];
      for (const step of new Set(wanted.flatMap(part => parts[part]()))) done.push(await bringUpToDate(step));
      clearWork();
      return done.includes(true);
    });
    say(`${did ? 'ready' : 'all in place'} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    process.stderr.write(`set-up stopped: ${error.message}\n`);
    return false;
  }
}
