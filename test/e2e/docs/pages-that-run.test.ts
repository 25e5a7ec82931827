import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocks, isOfSimulator, type Block } from '../../repository/code-blocks';
import { root } from '../../repository/copied-tree';

/** What a reader does who waits for the line of a program before the next command, and ends the program at last. */
const AS_A_READER = [
  ['npm run build', ''],
  ['npm run setup build', ''],
  [
    /(--ready-file ready\.json) &/,
    '$1 >/dev/null & trap "kill $!" EXIT; while [ ! -s ready.json ]; do sleep 0.1; done',
  ],
  [/^(node dist\/simulator\.cjs --world \S+)$/m, '$1 & kill $!; wait $! || true'],
  [/^curl /gm, 'curl --fail --silent --show-error '],
] as const;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'page '));
  for (const name of ['dist', 'test']) symlinkSync(join(root, name), join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Runs the commands of these blocks one after the other, in one shell. */
function runAll(some: Block[], flags = ''): { code: number | null; output: string } {
  const script = AS_A_READER.reduce<string>(
    (text, [from, to]) => text.replace(from, to),
    some
      .map(({ text }) => text)
      .join('\n')
      .replace('--ready-file', `${flags} --ready-file`),
  );
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH },
  });
  return { code: status, output: stdout + stderr };
}

test('the commands of the page of the simulator do what it says', () => {
  const { code, output } = runAll(blocks.filter(isOfSimulator), '--time-scale 0');
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toContain('"release":"9.');
  expect(output).toContain('UPID:pve1:');
});

test('the first try by hand makes the machine of its document', () => {
  const first = blocks.find(
    ({ text }) => text.includes('dist/simulator.cjs') && text.includes('export PVE_ENDPOINT'),
  );
  const own = blocks.filter(({ page, at }) => page === first?.page && at >= first.at).slice(0, 3);
  const [start, document, commands] = own;
  expect(document?.language).toBe('json');
  writeFileSync(join(folder, 'desired.json'), document?.text ?? '');
  const { code, output } = runAll([start!, commands!]);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toContain('web');
});
