import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { start } from '../../support/processes/cli';

const folder = mkdtempSync(path.join(tmpdir(), 'module '));
const place = path.join(folder, 'proxmox');
const write = (...flags: string[]) => start(['module', place, ...flags]).ended;
const main = path.join(place, 'main.tf');
afterAll(() => rmSync(folder, { recursive: true }));

test('the module is written, with the program in it, and written again', async () => {
  expect(await write()).toMatchObject({ code: 0 });
  const files = [
    '.pve-reconciler.json',
    'README.md',
    'main.tf',
    'outputs.tf',
    'reconciler-program.cjs',
    'reconciler.cjs',
    'variables.tf',
    'versions.tf',
  ];
  expect(readdirSync(place).sort()).toEqual(files);
  expect(readFileSync(path.join(place, 'variables.tf'), 'utf8')).not.toContain('undefined');
  expect(await write()).toMatchObject({ code: 0 });
});

test('what an earlier release wrote is overwritten; what a person changed or wrote is not', async () => {
  const own = path.join(place, 'own.tf');
  writeFileSync(own, '# mine\n');
  writeFileSync(main, '# changed\n');
  const refused = await write();
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('that were changed since: main.tf. Nothing was written.');
  expect(readFileSync(main, 'utf8')).toBe('# changed\n');
  expect(await write('--force')).toMatchObject({ code: 0 });
  expect(readFileSync(main, 'utf8')).toContain('terraform_data');
  expect(readFileSync(own, 'utf8')).toBe('# mine\n');
});

test('without a folder it says what is missing', async () => {
  expect(await start(['module']).ended).toMatchObject({ code: 2, stdout: '' });
});
