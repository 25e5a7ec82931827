import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';
import { SetUpError } from './say.mjs';

/** What the package of the simulator is made of besides the simulator. */
export const simulatorSources = ['scripts/setup/simulator-package.mjs', 'tsconfig.simulator.json'];

/**
 * The built part of the package of the simulator: the program, which is also the library, and the types of what its door
 * exports, without those that only the inside needs. @param {string} compiler @param {string} program @param {string} out
 */
export async function makeSimulatorPackage(compiler, program, out) {
  const all = path.join(out, 'all-types');
  const args = [compiler, '-p', 'tsconfig.simulator.json', '--outDir', all];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if ((await new Promise(resolve => child.on('close', resolve))) !== 0)
    throw new SetUpError('the types of the simulator are not to be had: mend each line named above.');
  for (const file of reached(all, 'index.d.ts')) copy(path.join(all, file), path.join(out, 'types', file));
  rmSync(all, { recursive: true });
  copy(program, path.join(out, 'pve-simulator.cjs'));
}

/** A file and all that it imports, and what these import. @param {string} folder @param {string} first @returns {Set<string>} */
function reached(folder, first) {
  const found = new Set([first]);
  for (const file of found) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    for (const [, named = ''] of text.matchAll(/(?:from |import\()["'](\.[^"']*)["']/g)) {
      const target = path.join(path.dirname(file), named);
      const name = [`${target}.d.ts`, path.join(target, 'index.d.ts')].find(each =>
        existsSync(path.join(folder, each)),
      );
      if (name === undefined) throw new Error(`the types of ${file} import ${named}, which is not there`);
      found.add(name);
    }
  }
  return found;
}

/** @param {string} from @param {string} to */
function copy(from, to) {
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to);
}
