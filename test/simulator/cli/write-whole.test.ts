import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '../../../simulator/cli/options';
import { writeNew, writeWhole } from '../../../simulator/cli/write-whole';

const folder = mkdtempSync(join(tmpdir(), 'write-whole-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('goes through no link, and leaves nothing beside the file', () => {
  const [path, other] = [join(folder, 'a'), join(folder, 'other')];
  writeFileSync(other, 'theirs', { mode: 0o666 });
  symlinkSync(other, `${path}.new`);
  symlinkSync(other, path);
  writeWhole(path, 'mine');
  expect(readFileSync(other, 'utf8')).toBe('theirs');
  expect(lstatSync(path).isSymbolicLink()).toBe(false);
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['mine', 0o600]);
  expect(() => writeNew(path, 'again')).toThrow(/EEXIST/);
  expect(readdirSync(folder).sort()).toEqual(['a', 'a.new', 'other']);
});

it.each(['state', 'ready-file'])('refuses --%s without a name', name => {
  expect(() => parseOptions([`--${name}`, ''], {})).toThrow(`--${name} needs the name of a file`);
});
