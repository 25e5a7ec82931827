import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const directory = mkdtempSync(path.join(tmpdir(), 'schema-'));
afterAll(() => rmSync(directory, { recursive: true }));

function schemaScript(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'scripts/schema.ts', '--directory', directory, ...args],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return { status, output: stdout + stderr };
}

test('the schemas that are checked in are fresh', () => {
  for (const folder of ['schema', 'docs', 'kubernetes']) {
    cpSync(path.join(root, folder), path.join(directory, folder), { recursive: true });
  }
  expect(schemaScript('--check')).toEqual({ status: 0, output: '' });
});

test('a stale, a missing and a stray file turn the check red, and writing mends them', () => {
  appendFileSync(path.join(directory, 'schema/machine.json'), ' ');
  rmSync(path.join(directory, 'schema/node.json'));
  writeFileSync(path.join(directory, 'schema/old.json'), '{}');
  appendFileSync(path.join(directory, 'docs/model.md'), 'x');
  const { status, output } = schemaScript('--check');
  expect(status).toBe(1);
  expect(output.trim().split('\n')).toEqual([
    'docs/model.md is stale: run npm run schema',
    'schema/machine.json is stale: run npm run schema',
    'schema/node.json is stale: run npm run schema',
    'schema/old.json is stale: run npm run schema',
  ]);
  expect(schemaScript().status).toBe(0);
  expect(schemaScript('--check')).toEqual({ status: 0, output: '' });
});

test('npm run check runs the schema check', () => {
  expect(readFileSync(path.join(root, 'scripts', 'checks.mjs'), 'utf8')).toContain(
    'tsx scripts/schema.ts --check',
  );
});
