import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** So many files can be read at a glance. */
const MOST = 30;
const ROOMS = ['spec', 'constructs', 'reconciler', 'simulator', 'scripts', 'test', 'bench'];

test(`no folder holds more than ${MOST} sources`, () => {
  const listed = execFileSync('git', ['ls-files', ...ROOMS], { encoding: 'utf8' }).split('\n');
  const sources = listed.filter(file => /\.(ts|mjs|cjs)$/.test(file));
  expect(sources.length).toBeGreaterThan(500);
  const counts = new Map<string, number>();
  for (const file of sources) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MOST)).toEqual([]);
});

test('the folders of the reconciler stand on no more than ten floors, and are no more than 26', () => {
  const folders = readdirSync('reconciler', { withFileTypes: true }).filter(entry => entry.isDirectory());
  expect(folders.length).toBeLessThanOrEqual(26);
  const below = new Map(folders.map(({ name }) => [name, foldersBelow(name)]));
  const floorOf = (name: string): number =>
    1 + Math.max(0, ...[...(below.get(name) ?? [])].map(other => floorOf(other)));
  expect(Math.max(...folders.map(({ name }) => floorOf(name)))).toBeLessThanOrEqual(10);
});

/** The folders that the files of a folder import from. No two import each other, so that floors can be counted. */
function foldersBelow(name: string): Set<string> {
  const found = new Set<string>();
  for (const file of execFileSync('git', ['ls-files', `reconciler/${name}`], { encoding: 'utf8' }).split(
    '\n',
  )) {
    if (!file.endsWith('.ts')) continue;
    for (const [, imported] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const [room, folder] = path.join(path.dirname(file), imported ?? '').split('/');
      const isFolder = folder !== undefined && existsSync(path.join('reconciler', folder));
      if (room === 'reconciler' && isFolder && folder !== name) found.add(folder);
    }
  }
  return found;
}
