// @ts-check
import { run } from './command.mjs';
import { at, root } from './root.mjs';
import { hashOf } from './stamp.mjs';

const sources = [
  'spec',
  'constructs',
  'reconciler',
  'simulator',
  'scripts/build.mjs',
  'tsconfig.json',
  'package-lock.json',
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
