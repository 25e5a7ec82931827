import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PLACE = join(__dirname, '../../../.setup');
const INSTALL_MS = 90_000;

/** The environment in which python3 finds packages, or why there is none. */
export type PythonPackages = { env: NodeJS.ProcessEnv } | { why: string };

/** Installs packages for python3 into a folder of the set-up, once. They touch nothing else on this machine. */
export function pythonPackages(packages: string[]): PythonPackages {
  const name = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12);
  const folder = join(PLACE, `python-${name}`);
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
  if (existsSync(join(folder, '.stamp'))) return { env };
  if (run(['--version']) !== undefined) return { why: 'there is no python3' };
  const fresh = `${folder}-${process.pid}`;
  try {
    mkdirSync(fresh, { recursive: true });
    const failed = run(['-m', 'pip', 'install', '--quiet', '--target', fresh, ...packages]);
    if (failed !== undefined) return { why: `pip could not install ${packages.join(' ')}: ${failed}` };
    writeFileSync(join(fresh, '.stamp'), `${packages.join('\n')}\n`);
    if (!existsSync(folder)) renameSync(fresh, folder);
    return { env };
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Runs python3; the last line of its errors when it fails. */
function run(args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync('python3', args, { encoding: 'utf8', timeout: INSTALL_MS });
  if (status === 0) return undefined;
  return error?.message ?? stderr.trim().split('\n').at(-1) ?? `it ended with ${status}`;
}
