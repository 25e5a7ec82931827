// @ts-check
// Runs a CDKTF app of this repository, written in TypeScript: node scripts/run-app.mjs FILE
// Our own rooms come from dist/, as they would come from the installed package.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const file = path.resolve(process.argv[2] ?? 'main.ts');
const folder = path.join(root, '.setup', 'apps');
const outfile = path.join(folder, `${process.pid}.cjs`);

/** @type {import('esbuild').Plugin} */
const roomsFromDist = {
  name: 'rooms-from-dist',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(constructs|spec)$/ }, ({ path: asked }) => ({
      path: path.join(root, 'dist', path.basename(asked), 'index.js'),
      external: true,
    })),
};

mkdirSync(folder, { recursive: true });
const { outputFiles } = await build({
  entryPoints: [file],
  outfile,
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  plugins: [roomsFromDist],
});
process.setSourceMapsEnabled(true);
// The text runs from where the clone's packages are found; nothing is written.
const Module = createRequire(import.meta.url)('node:module');
const app = new Module(outfile);
app.filename = outfile;
app.paths = Module._nodeModulePaths(folder);
app._compile(outputFiles[0]?.text ?? '', outfile);
