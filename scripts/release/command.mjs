import { spawnSync } from 'node:child_process';

/** The release cannot go on. Its message says what is wrong, what to do, and that nothing was published. */
export class ReleaseError extends Error {}

/** What an outer `npm run` tells its children would bend the inner one. */
const OUTER =
  /^(npm_(package|lifecycle)_|npm_config_(local_prefix|global_prefix|dry_run)$|npm_command$|INIT_CWD$)/;

/** Runs a program to its end and gives what it printed. @param {string} folder @param {string} program @param {string[]} args */
export function tried(folder, program, ...args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUTER.test(name)));
  const options = { cwd: folder, env, maxBuffer: 1 << 28, encoding: /** @type {const} */ ('utf8') };
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { ok: status === 0, stdout: stdout ?? '', said: error?.message ?? stderr ?? '' };
}

/** The same; throws where it fails. @param {string} folder @param {string} program @param {string[]} args */
export function done(folder, program, ...args) {
  const { ok, stdout, said } = tried(folder, program, ...args);
  if (ok) return stdout;
  const end = `${stdout}\n${said}`.trim().split('\n').slice(-15).join('\n');
  throw new ReleaseError(
    `${program} ${args.join(' ')} failed:\n${end}\nMend it, and run the same command again. Nothing was published.`,
  );
}
