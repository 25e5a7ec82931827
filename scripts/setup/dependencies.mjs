// @ts-check
import { npmCi } from './npm.mjs';
import { at, root } from './root.mjs';
import { hashOf } from './stamp.mjs';

/** The libraries and tools that package-lock.json names, in node_modules. @type {import('./step.mjs').Step} */
export const dependencies = {
  name: 'dependencies',
  says: 'npm ci, about half a minute',
  // The platform, because some packages bring a binary for it.
  key: () => hashOf(['package.json', 'package-lock.json', '.npmrc'], process.platform, process.arch),
  outputs: () => [at('node_modules', '.package-lock.json')],
  run: () => npmCi('npm ci', root),
};
