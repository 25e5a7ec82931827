import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const dist = path.resolve(__dirname, '..', '..', '..', 'dist');
const folder = mkdtempSync(path.join(tmpdir(), 'verify-list '));
afterAll(() => rmSync(folder, { recursive: true }));

/** The programs in a folder of its own, with a list and a manifest above, as anyone may write them. */
function verified(place: string, manifest: object | undefined) {
  const above = path.join(folder, place);
  mkdirSync(path.join(above, 'proxmox'), { recursive: true });
  for (const name of ['reconciler.cjs', 'reconciler-program.cjs'])
    cpSync(path.join(dist, name), path.join(above, 'proxmox', name));
  writeFileSync(path.join(above, 'releases.json'), '{ "version": 1, "releases": [] }');
  if (manifest !== undefined) writeFileSync(path.join(above, 'package.json'), JSON.stringify(manifest));
  const program = path.join(above, 'proxmox', 'reconciler.cjs');
  return spawnSync(process.execPath, [program, 'verify', dist], { encoding: 'utf8' });
}

test.each([
  ['a stack', undefined],
  ['another package', { name: 'web' }],
])('a list beside a program that travels in %s is not believed', (place, manifest) => {
  expect(verified(place, manifest)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('travels without the list of releases'),
  });
});

test.each(['cdktf-proxmox', 'cdktn-proxmox'])('the list of %s is taken', name => {
  expect(verified(name, { name })).toMatchObject({
    status: 3,
    stdout: expect.stringContaining('Known: none'),
  });
});
