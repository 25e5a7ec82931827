import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, exports as doors } from '../../package.json';
import simulator from '../../simulator/package.json';
import { copyTree, removeTree, run } from './copied-tree';

const ofConstructs = {
  expected: [
    /^(LICENSE|README\.md|releases\.json|package\.json)$/,
    /^dist\/(reconciler|reconciler-program)\.cjs$/,
    /^dist\/(constructs|spec)\/[\w/-]+\.(js|d\.ts)$/,
    /^schema\/[\w.-]+\.json$/,
  ],
  most: 4_100_000,
  doors: [...Object.values(bin), ...Object.values(doors['.']), ...Object.values(doors['./spec'])],
  beside: ['dist/reconciler-program.cjs', 'LICENSE', 'README.md', 'releases.json'],
  resolutions: 'strict',
  verdict: 'No problems found',
};
const ofSimulator = {
  expected: [
    /^(LICENSE|README\.md|package\.json)$/,
    /^dist\/pve-simulator\.cjs$/,
    /^dist\/types\/[\w/-]+\.d\.ts$/,
  ],
  most: 1_100_000,
  doors: [...Object.values(simulator.bin), ...Object.values(simulator.exports['.'])],
  beside: ['LICENSE', 'README.md'],
  // it has no `main`: with one `import '../simulator'` would be what was built last, and not the sources
  resolutions: 'node16',
  verdict: "(ignoring resolutions: 'node10')",
};

/** Each package, its folder and what it promises. The second is made by the build of the first. */
const packages = [
  ['cdktf-proxmox', '.', ofConstructs],
  ['cdktn-proxmox', 'dist/cdktn-proxmox', ofConstructs],
  ['pve-simulator', 'simulator', ofSimulator],
] as const;

let tree: string;
beforeAll(() => {
  tree = copyTree();
  for (const folder of ['dist', 'cdktf.out', 'schema']) mkdirSync(join(tree, folder), { recursive: true });
  for (const stray of [
    'dist/stray.txt',
    '.env',
    'terraform.tfstate',
    'cdktf.out/cdk.tf.json',
    'schema/notes.txt',
    'simulator/notes.txt',
  ]) {
    writeFileSync(join(tree, stray), 'stray');
  }
  writeFileSync(join(tree, 'schema', 'example.json'), '{}');
});
afterAll(() => removeTree(tree));

describe.each(packages)(
  'the package %s',
  (name, place, { expected, most, doors: built, beside, resolutions, verdict }) => {
    const inPackage = (program: string, ...args: string[]) => run(join(tree, place), program, ...args);
    const tool = (command: string, ...args: string[]) =>
      inPackage(join(tree, 'node_modules', '.bin', command), ...args);
    let pack: { name: string; files: { path: string }[]; unpackedSize: number };
    let packed: string[];

    beforeAll(async () => {
      [pack] = JSON.parse((await inPackage('npm', 'pack', '--dry-run', '--json')).stdout) as [typeof pack];
      packed = pack.files.map(({ path }) => path);
    });

    test('has its name and holds no stray file', () => {
      expect(pack.name).toBe(name);
      expect(packed.filter(path => !expected.some(pattern => pattern.test(path)))).toEqual([]);
    });

    test(`takes no more than ${most / 1_000_000} MB`, () => {
      expect(pack.unpackedSize).toBeLessThanOrEqual(most);
    });

    test('holds each door and each program, built', () => {
      const promised = [...built.map(path => path.replace('./', '')), ...beside];
      expect(promised.filter(path => !packed.includes(path))).toEqual([]);
    });

    test('publint finds nothing wrong with its shape', async () => {
      const { code, output } = await tool('publint', '--strict');
      expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('All good!') });
    });

    test('arethetypeswrong finds each door, however it is imported', async () => {
      const { code, output } = await tool(
        ...(['attw', '--pack', '.', '--profile', resolutions, '--no-emoji', '--no-color'] as const),
      );
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringContaining(verdict),
      });
    }, 300_000);
  },
);
