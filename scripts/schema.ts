// Writes schema/*.json and docs/model.md from spec/, and kubernetes/chart/files from the manifests that are
// read, kubernetes/rbac.yaml and monitoring/alerts.yaml. With --check it writes nothing and fails when a file is stale.
// --directory DIR puts them, or looks for them, under another folder than the repository's.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { jsonSchemas } from '../spec/documents/json-schema';
import { chartFiles } from './chart';
import { modelPage } from './model-page';

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, directory: { type: 'string', default: path.join(__dirname, '..') } },
});
const at = (file: string) => path.join(values.directory, file);

const read = (file: string) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : '');

const files = new Map<string, string>();
for (const [name, schema] of Object.entries(jsonSchemas()))
  files.set(`schema/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`);
for (const [name, text] of chartFiles(path.join(__dirname, '..'))) files.set(name, text);
const parts = modelPage(name => JSON.parse(files.get(`schema/${name}.json`) ?? '{}'));
const [introduction = ''] = read('docs/model.md').split(/^## /m);
files.set('docs/model.md', introduction + parts);

const namesIn = (folder: string) =>
  existsSync(at(folder)) ? readdirSync(at(folder)).map(name => `${folder}/${name}`) : [];
const there = ['schema', 'kubernetes/chart/files/crds'].flatMap(namesIn);
const stale = [...new Set([...there, ...files.keys()])].filter(file => read(file) !== files.get(file)).sort();

if (values.check) {
  for (const file of stale) console.error(`${file} is stale: run npm run schema`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const file of stale) {
    const text = files.get(file);
    mkdirSync(path.dirname(at(file)), { recursive: true });
    if (text === undefined) rmSync(at(file));
    else writeFileSync(at(file), text);
  }
  console.log(`${files.size} files, ${stale.length} written`);
}
