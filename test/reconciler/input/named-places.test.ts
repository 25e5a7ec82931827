import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runLine } from '../walk/live';

const folder = mkdtempSync(path.join(tmpdir(), 'named-places-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a relative place below a folder that is gone: one line, with what to do', async () => {
  const before = process.cwd();
  const gone = path.join(folder, 'gone');
  mkdirSync(gone);
  process.chdir(gone);
  rmdirSync(gone);
  try {
    const { code, said } = await runLine(['plan', '--spec', 'd.yaml']);
    expect({ code, said }).toEqual({
      code: 2,
      said: expect.stringMatching(/^ERROR: the current folder is gone, .*\(cd\), or write paths .*\n$/),
    });
  } finally {
    process.chdir(before);
  }
});
