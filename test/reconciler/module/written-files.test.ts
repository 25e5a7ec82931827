import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { foreignFiles, leftFiles, writeFiles, writeWhole } from '../../../reconciler/module/written-files';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'written-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const files = (...entries: [string, string][]): Map<string, string> => new Map(entries);

test('a file that was no part for a while is still known as our own', () => {
  const both = files(['main.tf', 'a'], ['web.tf', 'b']);
  writeFiles(folder, both);
  writeFiles(folder, files(['main.tf', 'a']));
  writeFiles(folder, files(['main.tf', 'c']));
  expect(leftFiles(folder, files(['main.tf', 'c']))).toEqual(['web.tf']);
  expect(foreignFiles(folder, files(['main.tf', 'd'], ['web.tf', 'e']))).toEqual([]);
});

test('one that somebody changed or removed meanwhile is not', () => {
  writeFiles(folder, files(['main.tf', 'a'], ['web.tf', 'b'], ['db.tf', 'c']));
  writeFileSync(path.join(folder, 'web.tf'), 'mine');
  rmSync(path.join(folder, 'db.tf'));
  writeFiles(folder, files(['main.tf', 'a']));
  writeFileSync(path.join(folder, 'db.tf'), 'c');
  expect(leftFiles(folder, files(['main.tf', 'a']))).toEqual([]);
  expect(foreignFiles(folder, files(['web.tf', 'e'], ['db.tf', 'e']))).toEqual(['web.tf', 'db.tf']);
});

test('a file is written beside the former one, which stays whole until the new one is', () => {
  const [place, former] = [path.join(folder, 'main.ts'), path.join(folder, 'former')];
  writeFileSync(place, 'old', { mode: 0o600 });
  linkSync(place, former);
  writeWhole(place, 'new');
  expect(statSync(place).mode & 0o777).toBe(0o600);
  expect(readFileSync(place, 'utf8')).toBe('new');
  expect(readFileSync(former, 'utf8')).toBe('old');
  expect(readdirSync(folder).sort()).toEqual(['former', 'main.ts']);
});

test('what is no file, such as a link to where the text goes, is written to', () => {
  const [place, there] = [path.join(folder, 'main.ts'), path.join(folder, 'there')];
  symlinkSync(there, place);
  writeWhole(place, 'new');
  expect(readFileSync(there, 'utf8')).toBe('new');
});
