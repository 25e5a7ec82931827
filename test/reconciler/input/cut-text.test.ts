import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { mayBeCut } from '../../../reconciler/input/cut-text';
import { documentsAt } from '../../../reconciler/input/manifest-files';

test.each<[why: string, text: string, isCut: boolean]>([
  ['whole', 'version: 1\n', false],
  ['with line breaks of Windows', 'version: 1\r\n', false],
  ['without a line break', 'version: 1', true],
  ['empty', '', true],
  ['JSON, of which a part is none', '{"version": 1}', false],
  ['JSON after a blank', ' [1]', false],
])('%s', (_, text, isCut) => expect(mayBeCut(text)).toBe(isCut));

describe('of a folder', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'cut-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const manifest = stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });

  test.each<[why: string, name: string, text: string, isCut: boolean]>([
    ['a file in a folder of it', 'team-a/vms.yml', manifest.trimEnd(), true],
    ['an empty file', 'a.yaml', '', true],
    ['a hidden file', '.a.yaml', manifest.trimEnd(), false],
    ['a file in a hidden folder', '.git/a.yaml', manifest.trimEnd(), false],
    ['a file that nobody reads', 'notes.txt', 'version: 1', false],
  ])('%s', async (_, name, text, isCut) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    writeFileSync(path.join(folder, 'whole.yaml'), manifest);
    const { cutFile } = await documentsAt(folder, { readInput: () => Promise.resolve('') });
    expect(cutFile).toBe(isCut ? file : undefined);
  });
});
