import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The types of all that the door of the simulator exports, and of what these need. */
export const typesOfSimulator = 'tsconfig.simulator.json';

/** What the package of the simulator is made of besides the simulator. */
export const simulatorSources = ['scripts/setup/simulator-package.mjs', typesOfSimulator];

/**
 * The built part of the package of the simulator: the program, which is also the library, and the types of its door
 * without those that only the inside needs. @param {string} types @param {string} program @param {string} out
 */
export function makeSimulatorPackage(types, program, out) {
  for (const file of reached(types, 'index.d.ts'))
    copy(path.join(types, file), path.join(out, 'types', file));
  rmSync(types, { recursive: true });
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
