import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVERY } from '../support/turns';
import { copyTree, removeTree, root, run } from './copied-tree';

// The command itself, in a repository of its own that has our sources.
const VERSION = '9.9.0';
const CHANGELOG = `# Changelog

## Unreleased

- Written after the summary.

### In short

It is ready.

### Plans

- A plan is told.

## 0.1.0 (2026-01-01)

- The first.
`;

let tree: string;
const at = (...path: string[]) => join(tree, ...path);
const out = (name: string) => at('.setup', 'release', VERSION, name);
const git = (...args: string[]) =>
  run(tree, 'git', '-c', 'user.name=t', '-c', 'user.email=t@t.test', '-c', 'commit.gpgsign=false', ...args);
const release = (...args: string[]) => run(tree, process.execPath, 'scripts/release.mjs', ...args);
const read = (name: string) => readFileSync(at(name), 'utf8');
const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
async function commit(): Promise<void> {
  await git('add', '-A');
  expect(await git('commit', '-qm', 'x')).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  tree = copyTree();
  cpSync(join(root, '.gitignore'), at('.gitignore'));
  writeFileSync(at('CHANGELOG.md'), CHANGELOG);
  await git('init', '-q', '-b', 'main');
  await commit();
});
afterAll(() => removeTree(tree));

test('a dry run makes all that is published, and changes nothing in the tree', async () => {
  const { code, output } = await release('--dry-run', '--version', VERSION);
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringContaining('nothing was published'),
  });
  expect((await git('status', '--porcelain')).stdout).toBe('');
  const packages = ['cdktf-proxmox', 'cdktn-proxmox', 'pve-simulator'].map(name => `${name}-${VERSION}`);
  const files = [...packages.flatMap(name => [`${name}.cdx.json`, `${name}.tgz`]), 'SHA256SUMS', 'notes.md'];
  expect(readdirSync(out('.')).sort()).toEqual(files.sort());
  expect(await run(out('.'), 'sha256sum', '--check', '--strict', 'SHA256SUMS')).toMatchObject({ code: 0 });
  expect(readFileSync(out('notes.md'), 'utf8')).toMatch(/^It is ready\.\n/);
}, 400_000);

test.each(['cdktf-proxmox', 'cdktn-proxmox'])(
  '%s knows its own reconciler, and has what is inside of it',
  async name => {
    const folder = at('.setup', name);
    mkdirSync(folder, { recursive: true });
    await run(folder, 'tar', '-xzf', out(`${name}-${VERSION}.tgz`));
    const program = join(folder, 'package', 'dist', 'reconciler.cjs');
    const { code, stdout } = await run(folder, program, 'verify', 'package/dist');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`release ${VERSION} (`) });
    expect(await run(folder, program, '--version')).toMatchObject({ stdout: `${VERSION}\n` });
    const sbom = JSON.parse(readFileSync(out(`${name}-${VERSION}.cdx.json`), 'utf8'));
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name, version: VERSION } },
    });
    const named = sbom.components.map((each: { name: string }) => each.name);
    expect(named).toEqual(expect.arrayContaining(['commander', 'prom-client', 'undici', 'yaml', 'zod']));
    expect(named).not.toContain('jest');
  },
);

test('the simulator has its version, and nothing of others inside of it', async () => {
  const folder = at('.setup', 'pve-simulator');
  mkdirSync(folder, { recursive: true });
  await run(folder, 'tar', '-xzf', out(`pve-simulator-${VERSION}.tgz`));
  const program = join(folder, 'package', 'dist', 'pve-simulator.cjs');
  expect(await run(folder, program, '--version')).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
  const sbom = JSON.parse(readFileSync(out(`pve-simulator-${VERSION}.cdx.json`), 'utf8'));
  expect(sbom).toMatchObject({
    metadata: { component: { name: 'pve-simulator', version: VERSION } },
    components: [],
  });
});

test.each([
  ['0.1.0', 'is not later than 0.1.0'],
  ['1.0', 'is no version of three numbers'],
])('--version %s is refused', async (version, said) => {
  expect(await release('--dry-run', '--version', version)).toMatchObject({
    code: 2,
    output: expect.stringContaining(said),
  });
});

test('a tree that is not as its commit is refused, with its files', async () => {
  writeFileSync(at('stray.txt'), 'x');
  const { code, output } = await release('--dry-run');
  expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining('stray.txt') });
  await run(tree, 'rm', 'stray.txt');
});

/** A part of the command by itself, in the tree. */
const part = (file: string, call: string) =>
  run(
    tree,
    process.execPath,
    '--input-type=module',
    '-e',
    `import * as part from './scripts/release/${file}.mjs'; ${call}`,
  );

test('a tree that changed while the release was built is refused, as is one of another commit', async () => {
  const clone = at('.setup', 'clone');
  await git('clone', '-q', '--local', '.', clone);
  const moved = () => part('clone', "part.refuseMoved('.', '.setup/clone')");
  expect(await moved()).toMatchObject({ code: 0 });
  writeFileSync(at('stray.txt'), 'x');
  expect(await moved()).toMatchObject({ code: 1, output: expect.stringContaining('stray.txt') });
  await commit();
  expect(await moved()).toMatchObject({
    code: 1,
    output: expect.stringContaining('while the release was built'),
  });
  await git('reset', '-q', '--hard', 'HEAD~1');
});

test('what was built to other bytes than the list says is refused', async () => {
  const folder = at('.setup', 'small');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'releases.json'), '{ "version": 1, "releases": [] }');
  for (const name of ['reconciler', 'reconciler-program'])
    writeFileSync(join(folder, 'dist', `${name}.cjs`), name);
  const confirm = "part.confirmRelease('.setup/small', '0.2.0')";
  expect(
    await part('list', `part.addRelease('.setup/small', '0.2.0', '2026-11-27'); ${confirm}`),
  ).toMatchObject({
    code: 0,
  });
  writeFileSync(join(folder, 'dist', 'reconciler.cjs'), 'other');
  const { code, output } = await part('list', confirm);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('built to other bytes') });
});

// three more builds: at night
if (EVERY)
  test('a release is cut, and its tag is built to the same bytes', async () => {
    expect(await release('--version', VERSION)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('git tag -s'),
    });
    const changed = (await git('status', '--porcelain')).stdout.match(/\S+$/gm);
    expect(changed).toEqual([
      'CHANGELOG.md',
      'kubernetes/chart/Chart.yaml',
      'package-lock.json',
      'package.json',
      'releases.json',
      'simulator/package.json',
    ]);
    expect(read('CHANGELOG.md')).toMatch(
      new RegExp(
        `## Unreleased\n\n## ${VERSION} \\(\\d{4}-\\d\\d-\\d\\d\\)\n\n### In short\n\nIt is ready\\.\n\n### Plans\n\n- A plan is told\\.\n\n### Also\n\n- Written after the summary\\.\n\n## 0\\.1\\.0 \\(2026-01-01\\)\n\n- The first\\.\n$`,
      ),
    );
    await commit();
    const { repository: _, ...manifest } = JSON.parse(read('package.json'));
    writeFileSync(
      at('package.json'),
      JSON.stringify({ ...manifest, repository: 'https://github.com/o/r' }, null, 2),
    );
    await commit();
    expect(await release('--tag', 'v1.0.0')).toMatchObject({
      code: 2,
      output: expect.stringContaining('has 9.9.0'),
    });
    const tagged = await release('--tag', `v${VERSION}`);
    expect({ code: tagged.code, output: tagged.output }).toMatchObject({ code: 0 });
    expect(existsSync(out(`cdktf-proxmox-${VERSION}.tgz`))).toBe(true);
    const listed = JSON.parse(read('releases.json')).releases[0].files;
    expect(listed['reconciler-program.cjs']).toBe(sha256(at('dist', 'reconciler-program.cjs')));
  }, 900_000);
