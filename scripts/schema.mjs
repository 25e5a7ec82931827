// Writes schema/*.json and docs/model.md from spec/. With --check it writes nothing and fails when a file is stale.
// --directory DIR puts them, or looks for them, under another folder than the repository's.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { fieldReference } from './field-reference.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, directory: { type: 'string' } },
});
const directory = path.resolve(values.directory ?? root);

/** @returns {Promise<Map<string, string>>} the text of each file, by its name */
async function wanted() {
  const bundled = await build({
    stdin: {
      contents: "export { jsonSchemas } from './spec/documents/json-schema';",
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const module = { exports: { jsonSchemas: () => ({}) } };
  const require = createRequire(import.meta.url);
  new Function('module', 'exports', 'require', bundled.outputFiles[0]?.text ?? '')(
    module,
    module.exports,
    require,
  );
  const schemas = module.exports.jsonSchemas();
  /** @type {Map<string, string>} */
  const texts = new Map([['docs/model.md', fieldReference(schemas)]]);
  for (const [name, schema] of Object.entries(schemas)) texts.set(`schema/${name}.json`, json(schema));
  return texts;
}

/** @param {unknown} value */
function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** @param {string} file */
async function present(file) {
  return readFile(path.join(directory, file), 'utf8').catch(() => undefined);
}

const files = await wanted();
const there = await readdir(path.join(directory, 'schema')).catch(() => /** @type {string[]} */ ([]));
const stale = there.map(file => `schema/${file}`).filter(file => !files.has(file));
for (const [file, text] of files) if ((await present(file)) !== text) stale.push(file);

if (values.check) {
  for (const file of stale.sort()) console.error(`${file} is stale: run npm run schema`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const file of stale) {
    const text = files.get(file);
    const at = path.join(directory, file);
    await mkdir(path.dirname(at), { recursive: true });
    await (text === undefined ? rm(at) : writeFile(at, text));
  }
  console.log(`${files.size} files, ${stale.length} written`);
}
