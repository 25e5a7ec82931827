// Builds dist/: each program as one file, and the library as others import it.
// Does nothing when neither a source nor a product has changed since the last build.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup/root.mjs';
import { hashOf, hashUnder } from './setup/stamp.mjs';

process.chdir(root);

const programs = ['reconciler', 'simulator'];
const library = ['spec', 'constructs'];
const products = programs.map(program => `${program}.cjs`);
const recipe = [
  'scripts/build.mjs',
  'scripts/setup/stamp.mjs',
  'scripts/notices.mjs',
  'scripts/undici-pool.cjs',
  'scripts/no-http2.cjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** What a build at `out` was made from, and what it became. @param {string} out */
const stampOf = out =>
  `${hashOf([...library, ...programs, ...recipe])} ${hashUnder(out, [...library, ...products])}\n`;

function isFresh() {
  try {
    return readFileSync('dist/.stamp', 'utf8') === stampOf('dist');
  } catch {
    return false; // no build yet, or another process puts its own in place just now
  }
}

/** @param {string} out */
async function buildPrograms(out) {
  const esbuild = await import('esbuild');
  const { noticesFor } = await import('./notices.mjs');
  for (const program of programs) {
    const { outputFiles, metafile } = await esbuild.build({
      entryPoints: [`${program}/cli.ts`],
      outfile: join(out, `${program}.cjs`),
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      legalComments: 'none',
      // A start reads the whole file, and the package is small; names stay, so that a stack can be read.
      minifyWhitespace: true,
      minifySyntax: true,
      // publint takes Proxmox's text "cannot import from '…'" for a module, unless a line says what this is.
      footer: { js: 'module.exports = {};' },
      alias: { undici: './scripts/undici-pool.cjs', 'node:http2': './scripts/no-http2.cjs' },
      // A path outside of the clone would make two clones differ by a byte.
      preserveSymlinks: true,
      metafile: true,
      write: false,
    });
    for (const { path, text } of outputFiles) {
      writeFileSync(path, text + noticesFor(Object.keys(metafile.inputs)), { mode: 0o755 });
    }
  }
}

/** @param {string} out */
function buildLibrary(out) {
  if (!existsSync('node_modules/typescript')) throw new Error('the packages are missing: run npm ci');
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', out];
  const { status } = spawnSync(process.execPath, tsc, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the library does not compile: mend each line named above');
}

/** Puts `out` in the place of dist in one step, so that another process never sees half a build. @param {string} out */
function putInPlace(out) {
  const old = `${out}-old`;
  for (let tries = 1; ; tries += 1) {
    try {
      if (existsSync('dist')) renameSync('dist', old);
      renameSync(out, 'dist');
      break;
    } catch (error) {
      if (tries === 5) throw error; // another build put its own there in between
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

async function build() {
  const out = join('.setup', `build-${process.pid}`);
  mkdirSync(out, { recursive: true });
  try {
    buildLibrary(out);
    await buildPrograms(out);
    writeFileSync(join(out, '.stamp'), stampOf(out));
    putInPlace(out);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

try {
  if (isFresh()) console.error('build: nothing has changed');
  else {
    await build();
    console.error('build: dist/ is new');
  }
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
