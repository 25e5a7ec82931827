// @ts-check
import { run } from './command.mjs';
import { at, root } from './root.mjs';
import { hashOf } from './stamp.mjs';

/** More than it depends on: the build itself looks closer, and does nothing when nothing changed. */
const sources = [
  ...['spec', 'constructs', 'reconciler', 'simulator', 'scripts'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
];

/** The programs and the library, in dist. @type {import('./step.mjs').Step} */
export const build = {
  name: 'build',
  says: 'the programs and the library, a few seconds',
  key: () => hashOf(sources),
  outputs: () => [at('dist')],
  run: async () => {
    await run(process.execPath, [at('scripts', 'build.mjs')], {
      name: 'build',
      cwd: root,
      remedy: 'mend what is named above.',
    });
  },
};
