import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, exports as doors } from '../../package.json';
import { copyTree, removeTree, run } from './copied-tree';

const expected = [
  /^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/,
  /^dist\/(reconciler|reconciler-program|simulator)\.cjs$/,
  /^dist\/(constructs|spec)\/[\w/-]+\.(js|d\.ts)$/,
  /^schema\/[\w.-]+\.json$/,
];

let tree: string;
let packed: string[];
let unpackedSize: number;

beforeAll(async () => {
  tree = copyTree();
  for (const folder of ['dist', 'cdktf.out', 'schema']) mkdirSync(join(tree, folder), { recursive: true });
  for (const stray of [
    'dist/stray.txt',
    '.env',
    'terraform.tfstate',
    'cdktf.out/cdk.tf.json',
    'schema/notes.txt',
  ]) {
    writeFileSync(join(tree, stray), 'stray');
  }
  writeFileSync(join(tree, 'schema', 'example.json'), '{}');
  const { stdout } = await run(tree, 'npm', 'pack', '--dry-run', '--json');
  const [pack] = JSON.parse(stdout) as [{ files: { path: string }[]; unpackedSize: number }];
  packed = pack.files.map(({ path }) => path);
  unpackedSize = pack.unpackedSize;
});
afterAll(() => removeTree(tree));

test('the package holds no stray file', () => {
  expect(packed.filter(path => !expected.some(pattern => pattern.test(path)))).toEqual([]);
});

test('the package takes no more than 4.2 MB', () => {
  expect(unpackedSize).toBeLessThanOrEqual(4_200_000);
});

test('the package holds each door and each program, built', () => {
  const targets = [...Object.values(bin), ...Object.values(doors['.']), ...Object.values(doors['./spec'])];
  const beside = ['dist/reconciler-program.cjs', 'LICENSE', 'README.md', 'CHANGELOG.md'];
  const promised = [...targets.map(path => path.replace('./', '')), ...beside];
  expect(promised.filter(path => !packed.includes(path))).toEqual([]);
});

test('publint finds nothing wrong with its shape', async () => {
  const { code, output } = await run(tree, 'node_modules/.bin/publint', '--strict');
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('All good!') });
});

test('arethetypeswrong finds each door, however it is imported', async () => {
  const { code, output } = await run(
    tree,
    'node_modules/.bin/attw',
    '--pack',
    '.',
    '--no-emoji',
    '--no-color',
  );
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('No problems found') });
}, 300_000);
