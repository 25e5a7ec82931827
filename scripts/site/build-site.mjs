import { spawn } from 'node:child_process';
import path from 'node:path';
import { at } from '../setup/root.mjs';
import { say } from '../setup/say.mjs';
import { stage } from './stage.mjs';

/** Where the site is built. */
const folder = at('.setup', 'site');

/** Builds the site; false when VitePress says that it cannot, as where a link leads nowhere. Needs the set-up of `site`. */
export async function buildSite() {
  const started = Date.now();
  stage(folder);
  const ok = (await vitepress('build')) === 0;
  const built = path.join(path.relative(process.cwd(), folder), 'dist');
  if (ok) say(`the site is in ${built} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return ok;
}

/** Serves what was built, on 127.0.0.1, until it is interrupted. */
export const showSite = () => vitepress('preview', '--host', '127.0.0.1');

/** @param {string[]} args @returns {Promise<number | null>} */
function vitepress(...args) {
  const program = path.join(folder, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  const child = spawn(process.execPath, [program, ...args, '.'], { cwd: folder, stdio: ['ignore', 2, 2] });
  return new Promise(resolve => child.on('close', resolve));
}
