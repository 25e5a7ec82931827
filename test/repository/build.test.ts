import { spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import { version as simulatorVersion } from '../../simulator/package.json';
import { copyTree, removeTree, run } from './copied-tree';

let tree: string;
const at = (path: string) => join(tree, path);
const build = (where = tree) => run(where, process.execPath, 'scripts/build.mjs');
const products = [
  'reconciler.cjs',
  'reconciler-program.cjs',
  'simulator.cjs',
  'spec/index.js',
  'spec/index.d.ts',
  'constructs/index.js',
  'cdktn-proxmox/package.json',
  'cdktn-proxmox/dist/constructs/index.js',
];
const bytesOf = (where: string) => products.map(name => readFileSync(join(where, 'dist', name), 'utf8'));

beforeAll(async () => {
  tree = copyTree();
  expect(await build()).toMatchObject({ code: 0, output: 'build: dist/ is new\n' });
});
afterAll(() => removeTree(tree));

const PROGRAMS = { reconciler: ['reconciler-program.cjs'], simulator: [] };

describe.each(Object.entries(PROGRAMS))('pve-%s, copied away from everything', (program, beside) => {
  let away: string;
  const call = (...args: string[]) => run(away, join(away, `${program}.cjs`), ...args);

  beforeAll(() => {
    away = mkdtempSync(join(tmpdir(), 'away from home '));
    for (const name of [`${program}.cjs`, ...beside]) copyFileSync(at(`dist/${name}`), join(away, name));
  });
  afterAll(() => rmSync(away, { recursive: true }));

  test('prints its version', async () => {
    expect(await call('--version')).toMatchObject({ code: 0, output: `${version}\n` });
  });

  test('prints its help', async () => {
    const { code, stdout } = await call('--help');
    expect({ code, named: stdout.includes(`pve-${program}`) }).toEqual({ code: 0, named: true });
  });

  test.each(['--versoin', '--no-such-flag', 'no-such-verb'])('refuses %s and names it', async word => {
    const { code, stdout, output } = await call(word);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(output).toContain(`'${word}'`);
  });

  test('names the closest flag', async () => {
    expect((await call('--versoin')).output).toContain('--version');
  });
});

test('no client of Kubernetes but our own is in the programs that travel with a stack', () => {
  const programs = ['reconciler.cjs', 'reconciler-program.cjs'].map(name =>
    readFileSync(at(`dist/${name}`), 'utf8'),
  );
  const packages = [...programs.join('\n').matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/g)].map(
    ([, name]) => name,
  );
  expect(packages).toContain('zod');
  expect(packages.filter(name => /kubernetes|k8s/i.test(name ?? ''))).toEqual([]);
});

test('the simulator has the version of the rest, and the licence', () => {
  expect(simulatorVersion).toBe(version);
  expect(readFileSync(at('simulator/LICENSE'), 'utf8')).toBe(readFileSync(at('LICENSE'), 'utf8'));
});

test('the package of the simulator is a program, and a library for both kinds of modules', async () => {
  expect(readFileSync(at('simulator/dist/pve-simulator.cjs'), 'utf8')).toBe(
    readFileSync(at('dist/simulator.cjs'), 'utf8'),
  );
  const start = `startSimulator(defaultWorld(1)).then(it => { console.log(it.url); return it.close(); });`;
  const url = expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\n$/);
  const folder = at('simulator');
  const required = `const { defaultWorld, startSimulator } = require('pve-simulator'); ${start}`;
  expect(await run(folder, process.execPath, '-e', required)).toMatchObject({ code: 0, output: url });
  const imported = `import { defaultWorld, startSimulator } from 'pve-simulator'; ${start}`;
  const asModule = ['--input-type=module', '-e', imported];
  expect(await run(folder, process.execPath, ...asModule)).toMatchObject({ code: 0, output: url });
});

/** The program of the folder, never one of the registry. */
const INSTALLED = ['--no', '--', 'pve-simulator'];

test('a stranger packs it, installs it in an empty folder, starts it and asks it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stranger '));
  writeFileSync(join(folder, 'package.json'), '{}');
  expect(
    await run(at('simulator'), 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder),
  ).toMatchObject({ code: 0 });
  const tarball = `./pve-simulator-${simulatorVersion}.tgz`;
  expect(await run(folder, 'npm', 'install', '--offline', tarball)).toMatchObject({ code: 0 });
  const child = spawn('npx', [...INSTALLED, '--world', 'homelab'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<Buffer>(resolve => child.stdout.once('data', resolve));
  const { url, pid } = JSON.parse(line.toString());
  expect(await run(folder, 'npx', ...INSTALLED, 'health', url)).toMatchObject({
    code: 0,
    output: `${url} answers\n`,
  });
  process.kill(pid);
  await new Promise(resolve => child.once('close', resolve));
  rmSync(folder, { recursive: true });
});

test('a program carries the licences of what is inside it', () => {
  expect(readFileSync(at('dist/reconciler-program.cjs'), 'utf8')).toMatch(
    /This file contains commander [\d.]+:\s+\(The MIT/,
  );
});

test('the library is there to be required', async () => {
  const script = "require('cdktf-proxmox'); console.log(require('cdktf-proxmox/spec').SPEC_VERSION)";
  expect(await run(tree, process.execPath, '-e', script)).toMatchObject({ code: 0, output: '1\n' });
});

test('a second build touches nothing', async () => {
  const before = products.map(name => statSync(at(`dist/${name}`)));
  expect(await build()).toMatchObject({ code: 0, output: 'build: nothing has changed\n' });
  const after = products.map(name => statSync(at(`dist/${name}`)));
  expect(after.map(({ ino, mtimeMs }) => [ino, mtimeMs])).toEqual(
    before.map(({ ino, mtimeMs }) => [ino, mtimeMs]),
  );
});

test('a lost product is built again', async () => {
  rmSync(at('dist/simulator.cjs'));
  await build();
  expect(existsSync(at('dist/simulator.cjs'))).toBe(true);
});

test('a product whose source is gone goes too', async () => {
  writeFileSync(at('spec/short-lived.ts'), 'export const x = 1;\n');
  await build();
  expect(existsSync(at('dist/spec/short-lived.js'))).toBe(true);
  rmSync(at('spec/short-lived.ts'));
  await build();
  expect(existsSync(at('dist/spec/short-lived.js'))).toBe(false);
});

test('a source that does not compile leaves the last build in place', async () => {
  const before = bytesOf(tree);
  writeFileSync(at('spec/wrong.ts'), "export const cores: number = 'two';\n");
  const { code, output } = await build();
  rmSync(at('spec/wrong.ts'));
  expect(code).toBe(1);
  expect(output).toContain('spec/wrong.ts');
  expect(bytesOf(tree)).toEqual(before);
});

test('where no package is installed one line says what installs them', async () => {
  rmSync(at('dist/simulator.cjs'));
  renameSync(at('node_modules'), at('node_modules-away'));
  const { code, output } = await build();
  renameSync(at('node_modules-away'), at('node_modules'));
  expect(code).toBe(1);
  expect(output).toBe(
    'build: the packages are not installed: run npm run setup, then the same command again.\n',
  );
  await build();
});

test('two builds at once both end well, and another folder gives the same bytes', async () => {
  const other = copyTree();
  mkdirSync(join(other, '.setup'));
  const both = await Promise.all([build(other), build(other)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(bytesOf(other)).toEqual(bytesOf(tree));
  removeTree(other);
});

test('a licence with letters of two bytes is carried in such of one byte', async () => {
  const folder = at('node_modules/commander');
  rmSync(folder);
  cpSync(resolve('node_modules/commander'), folder, { recursive: true });
  writeFileSync(join(folder, 'LICENSE'), 'Copyright © Zoë Dvořák, Łódź – “as is”, 任天堂\n');
  appendFileSync(at('reconciler/program.ts'), '// built again\n');
  expect(await build()).toMatchObject({ code: 0 });
  const program = readFileSync(at('dist/reconciler-program.cjs'), 'utf8');
  expect(program).toContain('\n\nCopyright © Zoë Dvorák, ?ódz - "as is", ???\n*/');
  expect(program).not.toMatch(/[^\0-\xff]/);
});

test('code with a letter of two bytes is refused, and stays as it was written', async () => {
  const [file, before] = [at('reconciler/program.ts'), bytesOf(tree)];
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}console.log(String.raw\`a “\`);\n`);
  const { code, output } = await build();
  writeFileSync(file, text);
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/write the last letter of .*a “ as \\u and four digits/),
  });
  expect(bytesOf(tree)).toEqual(before);
});
