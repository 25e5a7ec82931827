// @ts-check
import { run } from './command.mjs';
import { findOnPath } from './path.mjs';
import { SetUpError } from './say.mjs';

/** Installs exactly what the folder's lock file names. @param {string} name @param {string} cwd */
export async function npmCi(name, cwd) {
  const npm = findOnPath('npm');
  if (!npm) {
    throw new SetUpError(
      'npm is not on PATH: it comes with node from https://nodejs.org, install it and run the same command again.',
    );
  }
  await run(npm, ['ci', '--include=dev', '--no-audit', '--no-fund'], {
    name,
    cwd,
    env: outsideOfNpm(),
    remedy: 'see that the npm registry is in reach (npm ping), then run the same command again.',
  });
}

/** What an outer `npm run` tells its children would bend the inner one: drop that, keep what the person set. */
function outsideOfNpm() {
  const ofTheRun =
    /^(npm_(package|lifecycle)_|npm_config_(local_prefix|global_prefix)$|npm_command$|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTheRun.test(name)));
}
