import { findOnPath, run } from './command.mjs';
import { at, root } from './root.mjs';
import { SetUpError } from './say.mjs';
import { hashOf } from './step.mjs';

/** The libraries and tools that package-lock.json names, in node_modules. @type {import('./step.mjs').Step} */
export const dependencies = {
  name: 'dependencies',
  says: 'npm ci, about half a minute',
  // The platform, because some packages bring a binary for it.
  key: () => hashOf(['package.json', 'package-lock.json', '.npmrc'], process.platform, process.arch),
  outputs: () => [at('node_modules', '.package-lock.json')],
  run: () => npmCi('npm ci', root),
};

/** Installs exactly what the folder's lock file names. @param {string} name @param {string} cwd */
export async function npmCi(name, cwd) {
  const npm = findOnPath('npm');
  if (!npm) {
    throw new SetUpError(
      'npm is not on PATH: it comes with node from https://nodejs.org, install it and run the same command again.',
    );
  }
  const remedy = 'see that the npm registry is in reach (npm ping), then run the same command again.';
  // What an outer `npm run` tells its children would bend the inner one: drop that, keep what the person set.
  const outer = /^(npm_(package|lifecycle)_|npm_config_(local_prefix|global_prefix)$|npm_command$|INIT_CWD$)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !outer.test(key)));
  await run(npm, ['ci', '--include=dev', '--no-audit', '--no-fund'], { name, cwd, env, remedy });
}
