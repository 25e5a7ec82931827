// @ts-check
// Bundles one TypeScript program of the repository and runs it: node scripts/run-typescript.mjs FILE [ARGUMENTS]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const [file = '', ...args] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'run-'));
const outfile = join(folder, 'program.cjs');
try {
  await build({ entryPoints: [file], outfile, bundle: true, platform: 'node', target: 'node20' });
  const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...args], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
