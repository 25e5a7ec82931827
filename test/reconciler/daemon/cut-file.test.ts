import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cutFile } from '../../../reconciler/daemon/sources/cut-file';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'cut-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);
function write(name: string, text: string): string {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  return at(name);
}

test.each<[why: string, name: string, text: string, isCut: boolean]>([
  ['whole', 'a.yaml', 'version: 1\n', false],
  ['without a line break', 'a.yaml', 'version: 1', true],
  ['empty', 'a.yaml', '', true],
  ['in a folder of the folder', 'team-a/vms.yml', 'version: 1', true],
  ['JSON, of which a part is none', 'a.json', '{"version": 1}', false],
  ['JSON in a file of YAML', 'a.yaml', '{"version": 1}', false],
  ['a hidden file', '.a.yaml', 'version: 1', false],
  ['in a hidden folder', '.git/a.yaml', 'version: 1', false],
  ['a file that nobody reads', 'notes.txt', 'version: 1', false],
])('%s', async (_, name, text, isCut) => {
  const file = write(name, text);
  write('whole.yaml', 'version: 1\n');
  expect(await cutFile([folder])).toBe(isCut ? file : undefined);
});

test('of several places the one that may be cut is told', async () => {
  const [whole, cut] = [write('whole.yaml', 'version: 1\n'), write('cut', 'version: 1')];
  expect(await cutFile([whole, cut])).toBe(cut);
  expect(await cutFile([whole])).toBeUndefined();
});
